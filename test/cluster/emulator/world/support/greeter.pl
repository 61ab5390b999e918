# A program for an image of a test.
use strict;
use warnings;

print "hello $ARGV[0]\n";
exit 4;
