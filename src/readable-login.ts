/** Whether the name and the password in a URL can be read: a `%` that begins no byte makes decodeURIComponent throw. */
export function hasReadableLogin({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
