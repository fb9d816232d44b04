import type { AnyCollection } from '../../kernel/records/collection.ts'
import type { JobRow, Sweep } from '../../kernel/running/jobs.ts'
import type { Queue } from '../../kernel/running/queue.ts'
import type { AnyEvent } from '../outbox/event.ts'
import type { Subscriber } from '../outbox/subscriber.ts'
import type { Step } from './step.ts'

/** What the worker runs of a room, and what a store has to hold for it. */
export interface Part<P, E extends AnyEvent> {
  readonly collections?: readonly AnyCollection[]
  /** What of its records runs out. */
  readonly sweeps?: readonly Sweep[]
  /** Made with ports whose commits nudge the worker, as what follows. */
  readonly queues?: (ports: P) => readonly Queue[]
  readonly jobs?: (ports: P) => readonly JobRow[]
  /** What moves records of earlier releases, each by itself. */
  readonly steps?: (ports: P) => readonly Step[]
  /** Done once at every start, beside what is due. */
  readonly atStart?: (ports: P) => Promise<unknown>
  /** What it makes of events. */
  readonly subscribers?: (ports: P) => readonly Subscriber<E>[]
}

export const sweepsOf = (parts: readonly { readonly sweeps?: readonly Sweep[] }[]): readonly Sweep[] =>
  parts.flatMap(({ sweeps = [] }) => sweeps)

export const subscribersOf = <P, E extends AnyEvent>(
  parts: readonly Part<P, E>[],
  ports: P,
): readonly Subscriber<E>[] => parts.flatMap(({ subscribers }) => subscribers?.(ports) ?? [])
