import { describe, expect, it } from 'vitest';
import { wasteOf } from '../../../src/plan/waste.ts';
import { minute, now } from '../../builders/pod-view.ts';
import { type Stuck, stuckPlan } from '../../builders/stuck-plans.ts';

function waste(stuck: Omit<Stuck, 'name'>, asOf: number | undefined = now): number {
  return wasteOf(stuckPlan({ name: 'pod', ...stuck }).candidate, asOf);
}

const gibibyte = 1024 ** 3;

describe('what a stuck pod wastes', () => {
  it('is its time times its cores', () => {
    expect(waste({ cpu: 2, minutes: 10 })).toBe(20 * minute);
    expect(waste({ cpu: 1, minutes: 30 })).toBe(30 * minute);
  });

  it('counts four gibibytes as a core', () => {
    expect(waste({ cpu: 0, memory: 8 * gibibyte, minutes: 10 })).toBe(20 * minute);
    expect(waste({ cpu: 1, memory: 2 * gibibyte, minutes: 10 })).toBe(15 * minute);
  });

  it('grows with its age if it requests nothing', () => {
    expect(waste({ cpu: 0, minutes: 10 })).toBeGreaterThan(0);
    expect(waste({ cpu: 0, minutes: 20 })).toBe(2 * waste({ cpu: 0, minutes: 10 }));
  });

  it('is nothing if the time is unknown, and never less', () => {
    expect(wasteOf(stuckPlan({ name: 'pod' }).candidate, undefined)).toBe(0);
    expect(waste({ minutes: 10 }, now - 20 * minute)).toBe(0);
  });
});
