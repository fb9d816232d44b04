import { all, eq, isIn, type Where } from '../kernel/records/where.ts'
import { tenantKey } from '../kernel/resources/facts.ts'
import { scopeOf } from '../kernel/resources/scope.ts'
import { MAX_PAGE } from '../limits.ts'
import { byKey, listAll, listOf, type Store } from '../ports/store.ts'
import type { Actor } from './actor.ts'
import { may } from './actor.ts'
import { type Broker, brokers, clients } from './records/people.ts'
import { properties } from './records/property.ts'
import { type Proposal, proposal } from './records/proposal.ts'

/** The broker's record that is this actor's: the one with their verified e-mail. */
export const ownBroker = async (
  store: Pick<Store, 'find'>,
  { companyId, verifiedEmail }: Pick<Actor, 'companyId' | 'verifiedEmail'>,
): Promise<Broker | null> =>
  verifiedEmail === null ? null : store.find(byKey(brokers, 'email', tenantKey(companyId, verifiedEmail)))

/**
 * The ids of the clients that are this actor: those with a link to them, and those with their verified e-mail and a link to no
 * other user.
 */
export const ownClientIds = async (
  store: Pick<Store, 'list'>,
  { companyId, userId, verifiedEmail }: Pick<Actor, 'companyId' | 'userId' | 'verifiedEmail'>,
): Promise<readonly string[]> => {
  if (verifiedEmail === null) return []
  const liveBy = (field: 'email' | 'linkedUserId', value: string) =>
    listAll(
      store,
      listOf(clients, {
        where: all(eq('companyId', companyId), eq<typeof field>(field, value)) as Where<'companyId' | typeof field>,
        when: 'live',
        sort: { by: 'createdAt', dir: 'desc' },
        limit: MAX_PAGE,
      }),
    )
  const [linked, matching] = await Promise.all([liveBy('linkedUserId', userId), liveBy('email', verifiedEmail)])
  return [...linked, ...matching.filter(({ linkedUserId }) => linkedUserId === null)].map(({ id }) => id)
}

/** The ids under which this actor owns something: their own, and those of the clients that they are. */
export const ownerIds = async (
  store: Pick<Store, 'list'>,
  actor: Pick<Actor, 'companyId' | 'userId' | 'verifiedEmail'>,
): Promise<readonly string[]> => [actor.userId, ...(await ownClientIds(store, actor))]

/** The ids of what this actor owns: as a user, or as a client. */
export const ownPropertyIds = async (
  store: Pick<Store, 'list'>,
  actor: Pick<Actor, 'companyId' | 'userId' | 'verifiedEmail'>,
): Promise<readonly string[]> => {
  const owners = await ownerIds(store, actor)
  const list = listOf(properties, {
    where: all(eq('companyId', actor.companyId), isIn('ownerId', owners)),
    when: 'live',
    limit: MAX_PAGE,
  })
  return (await listAll(store, list)).map(({ id }) => id)
}

const proposalScope = scopeOf(proposal)

/** Whose proposals somebody may see: a broker their own, nobody's where they have no record. */
export interface ProposalLimits {
  readonly companyId: string
  /** Left out where all of the company's are seen. */
  readonly own?: string | null
}

export const limitsOf = async (store: Pick<Store, 'find'>, actor: Actor): Promise<ProposalLimits> => {
  const { companyId, role } = actor
  return role === 'Broker' ? { companyId, own: (await ownBroker(store, actor))?.id ?? null } : { companyId }
}

/** The proposal of which somebody makes a contract, where they may see it. */
export const findOffer = async (store: Store, actor: Actor, id: string | null): Promise<Proposal | null> =>
  id !== null && may(actor.role, 'proposals:read') ? proposalScope.find(store, await limitsOf(store, actor), id) : null
