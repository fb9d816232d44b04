import { t } from '../../fp.ts'
import { type Change, ensure, patch } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { always, eq, not } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { WAITING } from '../../kernel/running/queue.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { type Event, type EventType, subscriber } from '../office/events.ts'

export const RENAMED = ['property', 'client', 'broker'] as const

const rename = record({
  /** Whose name it is: `property:3f2b…`. */
  id: t.string,
  companyId: t.string,
  kind: word(...RENAMED),
  subjectId: t.string,
  /** Until when it is looked once more: what was made meanwhile may have copied the name that was. */
  until: t.string,
  dueAt: orNull(t.string),
  attempts: t.number,
})

/** A code or name that changed, and of which others' search texts hold a copy. */
export type Rename = t.TypeOf<typeof rename>

export const renames: Collection<Rename> = {
  name: 'estate.renames',
  ids: 'text',
  codec: rename,
  owner: null,
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: WAITING, acrossOwners: true, include: ['companyId'] }],
}

/** Longer than a request takes that had read the name before it changed. */
const REQUEST_SECONDS = 60

const EVENTS = {
  'property.renamed': 'property',
  'client.renamed': 'client',
  'broker.renamed': 'broker',
} as const satisfies { readonly [T in EventType]?: Rename['kind'] }

const kindOf = (type: Event['type']): Rename['kind'] | null =>
  type in EVENTS ? EVENTS[type as keyof typeof EVENTS] : null

/** That the copies of a name are to be made anew. */
const toFold = ({ companyId, subjectId }: Event, kind: Rename['kind'], { steady }: Fresh): readonly Change[] => {
  const id = `${kind}:${subjectId}`
  const due = { until: addSeconds(steady, REQUEST_SECONDS), dueAt: steady, attempts: 0 }
  return [ensure(renames, { id, companyId, kind, subjectId, ...due }), patch(renames, id, { set: due, when: always })]
}

/** Notes whose name has changed: how many hold a copy of it nobody knows, so that they are gone through apart. */
export const renameSubscriber = subscriber({
  name: 'renames',
  types: ['property.renamed', 'client.renamed', 'broker.renamed'],
  read: async () => null,
  decide(event, _, fresh) {
    const kind = kindOf(event.type)
    return kind === null ? [] : toFold(event, kind, fresh)
  },
})
