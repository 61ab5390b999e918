/** Defects of certain kubelets, which the emulator's has only if it is told to. */
export interface KubeletBugs {
  /**
   * In a pod with restartPolicy Never, it gives up the startup probe of a native sidecar that ends before the probe has passed:
   * 1.32 and earlier. (kubernetes/kubernetes#132826)
   */
  readonly stopsStartupProbe?: true;
  /**
   * After its own restart, it does not know that a native sidecar has passed its startup probe, and takes a pod without a running
   * regular container for one that has not begun: 1.35.0. (kubernetes/kubernetes#136910)
   */
  readonly forgetsStartup?: true;
}
