/** Why a request failed; `message` is one line for people. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly message: string;
  /** Another try may soon succeed. Missing if waiting does not help. */
  readonly isFleeting?: true;
  /** A proxy or a gateway refused, not the API server: no permission of the account helps. */
  readonly isForeign?: true;
}

export type ProblemKind =
  | 'Unreachable'
  | 'TimedOut'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'Rejected'
  | 'Malformed'
  /** Larger than anything of its kind should be. */
  | 'TooLarge'
  | 'Interrupted'
  /** A defect, not an answer of the cluster. */
  | 'InternalError';
