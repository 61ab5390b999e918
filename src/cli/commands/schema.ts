import { exitCodes } from '../../report/exit-code.ts';
import { jsonSchemas } from '../../report/json-schema.ts';
import { schemaNames } from '../../report/names.ts';
import { type Io, write } from '../io.ts';

export async function printSchema(name: string | undefined, { stdout }: Io): Promise<number> {
  const schema = schemaNames.find((each) => each === name);
  const text = schema ? JSON.stringify(jsonSchemas()[schema], undefined, 2) : schemaNames.join('\n');
  await write(stdout, `${text}\n`);
  return exitCodes.resolved;
}
