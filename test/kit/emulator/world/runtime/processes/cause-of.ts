import { notFound, notPermitted } from '../exec-messages.ts';
import { HelperError } from './helper.ts';

/** The OCI runtime's message for why a program could not start. */
export function causeOf(error: unknown): string {
  if (!(error instanceof HelperError)) throw error;
  switch (error.kind) {
    case 'stat':
    case 'path':
      return notFound(error.message);
    case 'permission':
      return notPermitted(error.message);
  }
  return error.message;
}
