import { KubeConfig } from '@kubernetes/client-node';

/** What client-node reads from a kubeconfig. */
export function clientOf(kubeconfig: string, context?: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  if (context !== undefined) config.setCurrentContext(context);
  return config;
}
