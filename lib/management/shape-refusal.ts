import type { z } from 'zod';
import { sentence } from '../messages/sentence.ts';
import { AdminRefusal } from './refusal.ts';
import { faultsOfIssue, placed, sayPath } from './shape-faults.ts';

/** The maximum number of faults that are reported together. */
const mostFaults = 50;

/** Reports what is wrong with the input of an act. @throws AdminRefusal always */
export function refuseShape(
  issues: readonly z.core.$ZodIssue[],
  said: unknown,
  shape: z.ZodType,
): never {
  const found = issues
    .slice(0, mostFaults)
    .flatMap((issue) => faultsOfIssue(issue, said, shape))
    .slice(0, mostFaults)
    .map((fault) => [sayPath(fault.path), placed(fault)] as const);
  const faults = Object.fromEntries(found.filter(([place]) => place !== ''));
  const [[place, first] = ['', sentence('refused.shape.whole')]] = found;
  throw new AdminRefusal(place || null, first, faults);
}
