/** What the kubelet says when nothing listens on a forwarded port: the text of the error channel. */
export function connectionRefused(sandboxId: string, port: number): Error {
  return new Error(
    `error forwarding port ${port} to pod ${sandboxId}, uid : failed to execute portforward in network namespace ` +
      `"/var/run/netns/cni-${namespaceName(sandboxId)}": failed to connect to localhost:${port} inside namespace ` +
      `"${sandboxId}", IPv4: dial tcp4 127.0.0.1:${port}: connect: connection refused ` +
      'IPv6 dial tcp6: address localhost: no suitable address found ',
  );
}

/** Network namespaces are named by a UUID; here it is made of the sandbox's id. */
function namespaceName(id: string): string {
  return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20, 32)].join('-');
}
