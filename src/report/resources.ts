import type { Resources } from '../model/pod.ts';

/** Cores as manifests write them: `250m`, `1.5`. */
export function formatCpu(cores: number): string {
  return cores > 0 && cores < 1 ? `${Math.max(1, Math.round(cores * 1000))}m` : `${Number(cores.toFixed(2))}`;
}

const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'] as const;

/** Bytes as manifests write them: `64Mi`, `1.5Gi`. */
export function formatMemory(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${Number(amount.toFixed(1))}${units[unit]}`;
}

/** Whether nobody can tell what the pod uses of its node. */
export function hasNone({ cpu, memory }: Resources): boolean {
  return cpu === 0 && memory === 0;
}

/** What several pods hold together. */
export function sumOf(all: readonly Resources[]): Resources {
  return all.reduce((sum, { cpu, memory }) => ({ cpu: sum.cpu + cpu, memory: sum.memory + memory }), {
    cpu: 0,
    memory: 0,
  });
}
