import { writePages } from './pages.ts';
import { writeReadme } from './readme.ts';

await writeReadme();
await writePages();
