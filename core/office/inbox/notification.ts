import { type Change, insert } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import type { Field, Id } from '../../kernel/records/record.ts'
import { eq, not, type Where } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'

/** What every notification has; a business adds in which tenant it happened, and what is told of it. */
export type AnyNotification = {
  /** A UUID. */
  readonly id: string
  readonly type: string
  /** Who is told. */
  readonly userId: Id
  readonly readAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A notification as a business tells it. */
export type Telling<N extends AnyNotification> = Omit<N, keyof AnyNotification> & Pick<N, 'type'>

/** Who asks for their own. */
export type Caller<N extends AnyNotification> = Pick<N, 'userId'>

export const UNREAD = 'unread'
export const READ = 'read'

/** What a business keeps of its notifications beside what every inbox needs. */
export type InboxBesides<N extends AnyNotification> = Pick<Collection<N>, 'conditions' | 'indexes'>

/** Notifications of a business, as its codec keeps them. */
export const notificationsIn = <N extends AnyNotification>(
  business: string,
  codec: Collection<N>['codec'],
  { conditions = {}, indexes = [] }: InboxBesides<N> = {},
): Collection<N> => {
  const unread = eq<Field<N>>('readAt', null)
  return {
    name: `${business}.notifications`,
    ids: 'text',
    codec,
    owner: 'userId',
    conditions: { [UNREAD]: unread, [READ]: not(unread), ...conditions },
    indexes: [
      { sort: 'createdAt' },
      { sort: 'createdAt', when: UNREAD },
      { sort: 'createdAt', when: READ },
      ...indexes,
    ],
    tallies: [
      { by: ['userId'], sum: [] },
      { by: ['userId'], sum: [], when: UNREAD },
    ],
  }
}

/** The changes that tell these people, one notification each. */
export const notifyIn =
  <N extends AnyNotification>(notifications: Collection<N>) =>
  (fresh: Fresh, people: readonly Caller<N>[], told: Telling<N>): readonly Change[] =>
    people.map(({ userId }) => {
      const { now } = fresh
      const own: AnyNotification = { ...told, id: fresh.uuid(), userId, readAt: null, createdAt: now, updatedAt: now }
      return insert(notifications, own as N)
    })

export const ofCaller = <N extends AnyNotification>({ userId }: Caller<N>): Where<'userId'> => eq('userId', userId)
