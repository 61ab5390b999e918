import type { SweepName } from './behaviours.ts';
import type { Images } from './manifest.ts';

/** The policy of each sweep over the behaviours. Most allow unclean exits, because they test them. */
export function sweepsOver(images: Images): Readonly<Record<SweepName, object>> {
  const allow = { uncleanExit: 'allow' };
  const lastResort = (step: object) => ({ ...allow, lastResort: [step] });
  const profile = (name: string, step: object) => ({
    profiles: [{ name, containers: [name], images: ['*'], steps: [step] }],
  });
  return {
    plain: allow,
    http: profile('http', { http: { port: 15_020, path: '/quitquitquit' }, exitCode: 0, grace: '10s' }),
    tombstone: profile('tombstone', { tombstone: { path: '/tmp/exit' }, exitCode: 0, grace: '10s' }),
    'image-swap': lastResort({ imageSwap: { image: images.noop } }),
    'ephemeral-container': lastResort({ ephemeralContainer: { image: images.shell } }),
    deadline: lastResort({ deadline: true }),
    evict: lastResort({ evict: true }),
    delete: lastResort({ delete: true }),
  };
}
