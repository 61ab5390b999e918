/** The list of a report that each kind of record comes from. The last record is the Summary, with the rest of the report. */
export const listOfKind = {
  Unread: 'unread',
  Undecided: 'undecided',
  Excluded: 'excluded',
  NeverStarted: 'neverStarted',
  NotStartedAgain: 'notStartedAgain',
  Hanging: 'hanging',
  Pod: 'pods',
  Warning: 'warnings',
} as const;

export type ListKind = keyof typeof listOfKind;
export const listKinds = Object.keys(listOfKind) as readonly ListKind[];
