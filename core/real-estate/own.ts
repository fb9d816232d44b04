import { all, eq, isIn, type Where } from '../kernel/records/record.ts'
import { tenantKey } from '../kernel/resources/facts.ts'
import { scopeOf } from '../kernel/resources/scope.ts'
import { MAX_PAGE } from '../limits.ts'
import { byKey, listAll, listOf, type Store } from '../ports/store.ts'
import { type Actor, may } from './real-estate-ports.ts'
import { type Broker, brokers, clients } from './records/people.ts'
import { properties } from './records/property.ts'
import { type Proposal, proposal } from './records/proposal.ts'

/** Returns the broker with the actor's verified e-mail. */
export const ownBroker = async (
  store: Pick<Store, 'find'>,
  { companyId, verifiedEmail }: Pick<Actor, 'companyId' | 'verifiedEmail'>,
): Promise<Broker | null> =>
  verifiedEmail === null ? null : store.find(byKey(brokers, 'email', tenantKey(companyId, verifiedEmail)))

/**
 * Returns the ids of the actor's clients: those linked to the actor, and those with the actor's verified e-mail and no
 * link to another user.
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

/** Returns the ids under which the actor can own properties: the user's and those of the actor's clients. */
export const ownerIds = async (
  store: Pick<Store, 'list'>,
  actor: Pick<Actor, 'companyId' | 'userId' | 'verifiedEmail'>,
): Promise<readonly string[]> => [actor.userId, ...(await ownClientIds(store, actor))]

/** Returns the ids of the actor's properties. */
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

/** The proposals that an actor may see: brokers their own, and none without a broker record. */
export interface ProposalLimits {
  readonly companyId: string
  /** Absent for all proposals of the company. */
  readonly own?: string | null
}

export const limitsOf = async (store: Pick<Store, 'find'>, actor: Actor): Promise<ProposalLimits> => {
  const { companyId, role } = actor
  return role === 'Broker' ? { companyId, own: (await ownBroker(store, actor))?.id ?? null } : { companyId }
}

/** Returns the proposal of a new contract, if the actor may see it. */
export const findOffer = async (store: Store, actor: Actor, id: string | null): Promise<Proposal | null> =>
  id !== null && may(actor.role, 'proposals:read') ? proposalScope.find(store, await limitsOf(store, actor), id) : null
