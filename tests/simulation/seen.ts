import type { Run } from './run.ts'

/** What must have happened somewhere, or nothing was tried: kinds of lines of the traces. */
export const KINDS = [
  'commit',
  'broken',
  'fault',
  'bank',
  'acquirer',
  'link',
  'told',
  'nonsense',
  'warning',
  'webhook',
  'mail',
  'report',
  'death',
  'stop',
  'jump',
  'ahead',
  'key',
  'change',
  'delete',
  'withdraw',
  'withdrawn',
  'move',
  'moved',
  'refund',
  'refunded',
  'settle',
  'settled',
]

/** How often each kind of thing happened. */
export type Seen = ReadonlyMap<string, number>

export const seenIn = ({ count, steps, environment }: Run): Seen => {
  const statuses = [...environment.watch.statuses.values()].flat()
  const times = (name: string): number => statuses.filter((status) => status === name).length
  return new Map([
    ...KINDS.map((kind) => [kind, count(kind)] as const),
    ...[...new Set<string>(statuses)].map((status) => [status, times(status)] as const),
    [environment.bank.name, 1],
    ['steps', steps],
  ])
}

export const together = (all: Iterable<Seen>): Seen => {
  const sums = new Map<string, number>()
  for (const seen of all) for (const [kind, times] of seen) sums.set(kind, (sums.get(kind) ?? 0) + times)
  return sums
}

/** What somebody reads who must find out why. */
export const replayOf = ({ seed, steps, broken, tail, environment }: Run): string =>
  [
    `seed ${seed} (${environment.bank.name} bank), step ${steps}:`,
    ...broken,
    'its last lines:',
    ...tail,
    `again: SEED=${seed} npm run ava -- tests/simulation/simulation.test.ts`,
  ].join('\n')
