/** The methods that --last-resort can name: those that the flag alone says enough about. */
export const lastResortNames: readonly string[] = ['image-swap', 'deadline', 'evict', 'delete'];
