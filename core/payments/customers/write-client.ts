import { isLeft, t } from '../../fp.ts'
import type { DecodedOf } from '../../kernel/input/input.ts'
import { type Change, insert, patch, remove } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { at, record } from '../../kernel/records/record.ts'
import { always } from '../../kernel/records/where.ts'
import type { Facts } from '../../kernel/resources/resource.ts'
import { accept, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type Client, type ClientChange, client, clientChange, type NewClient, newClient } from './client.ts'

type Tenant = Pick<Actor, 'accountId'>
type CheckedChange = DecodedOf<typeof clientChange>

interface ClientFacts {
  readonly facts: Facts<Client>
  readonly token: ClientToken | null
}

const factsFor =
  ({ accountId }: Tenant, id: number | null, sent: CheckedChange) =>
  async (store: Store): Promise<ClientFacts> => ({
    facts: await client.readFacts(store, accountId, id, sent),
    token: id === null ? null : await store.find(byId(clientTokens, id)),
  })

/** What is told of them apart: what is looked for, what is only kept, and what is only written. */
const splitFields = ({ fbAccessToken: token, address, fbId, ...given }: CheckedChange) => ({
  given,
  kept: { ...(address !== undefined && { address }), ...(fbId !== undefined && { fbId }) },
  token,
})

/** Makes a client. Fails: `fields`, `client.document.taken`. Source: 02-billing.md, Clients. */
export const createClient = (ports: PaymentsPorts) => (actor: Tenant, sent: NewClient) =>
  withValidInput(ports, newClient, sent, ({ fbAccessToken, address, fbId, ...given }) =>
    useCase(ports, factsFor(actor, null, given), ({ facts }, fresh) => {
      const made = client.create(facts, actor.accountId, given, fresh, { address, fbId })
      if (isLeft(made)) return made
      const { record, changes } = made.right
      return accept(record, ...changes, ...storeToken(ports.cipher, record, null, fbAccessToken))
    }),
  )

const changeClient = (ports: PaymentsPorts, actor: Tenant, id: number, sent: CheckedChange) =>
  useCase(ports, factsFor(actor, id, sent), ({ facts, token: before }, fresh) => {
    const { given, kept, token } = splitFields(sent)
    const made = client.update(facts, given, fresh, kept)
    if (isLeft(made)) return made
    const { record, changes } = made.right
    return accept(record, ...changes, ...storeToken(ports.cipher, record, before, token))
  })

/** Changes one: what is left out stays. Fails: `fields`, `client.unknown`, `client.document.taken`. */
export const updateClient = (ports: PaymentsPorts) => (actor: Tenant, id: number, sent: ClientChange) =>
  withValidInput(ports, clientChange, sent, (change) => changeClient(ports, actor, id, change))

/** Changes one: what is left out is as in one that is made. Fails: `fields`, `client.unknown`, `client.document.taken`. */
export const replaceClient = (ports: PaymentsPorts) => (actor: Tenant, id: number, sent: NewClient) =>
  withValidInput(ports, newClient, sent, (change) => changeClient(ports, actor, id, change))

/** Removes one, with its token. Fails: `client.unknown`. Source: 02-billing.md, Clients. */
export const removeClient = (ports: PaymentsPorts) => (actor: Tenant, id: number) =>
  useCase(ports, factsFor(actor, id, {}), ({ facts, token }, fresh) => {
    const made = client.remove(facts, fresh)
    if (isLeft(made)) return made
    const { record, changes } = made.right
    return accept(null, ...changes, ...storeToken(ports.cipher, record, token, null))
  })

const clientToken = record({
  /** The client's. */
  id: t.number,
  accountId: t.number,
  fbAccessTokenSealed: t.string,
})

/** Somebody's token of another network, apart from what is shown of them: it is written, and no route tells it again. */
export type ClientToken = t.TypeOf<typeof clientToken>

export const clientTokens: Collection<ClientToken> = {
  name: 'payments.client-tokens',
  ids: 'integer',
  codec: clientToken,
  owner: 'accountId',
}

/** Keeps a token, or with null none any more; undefined leaves the one that there is. */
export const storeToken = (
  cipher: Cipher,
  { id, accountId }: Pick<Client, 'id' | 'accountId'>,
  before: ClientToken | null,
  token: string | null | undefined,
): readonly Change[] => {
  if (token === undefined) return []
  if (token === null) return before ? [remove(clientTokens, id, always)] : []
  const fbAccessTokenSealed = cipher.seal(token, [...at(clientTokens, id), 'fbAccessToken'].join('/'))
  if (before) return [patch(clientTokens, id, { set: { fbAccessTokenSealed }, when: always })]
  return [insert(clientTokens, { id, accountId, fbAccessTokenSealed })]
}
