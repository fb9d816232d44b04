import { isLeft } from '../../failure.ts'
import type { DecodedOf } from '../../kernel/input/input.ts'
import {
  always,
  at,
  type Change,
  type Collection,
  insert,
  patch,
  record,
  remove,
  t,
} from '../../kernel/records/record.ts'
import { accept, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Cipher } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { type Client, type ClientChange, client, clientChange, type NewClient, newClient } from './client.ts'

type Tenant = Pick<Actor, 'accountId'>
type CheckedChange = DecodedOf<typeof clientChange>

const factsFor =
  ({ accountId }: Tenant, id: number | null, sent: CheckedChange) =>
  async (store: Store) => ({
    facts: await client.readFacts(store, accountId, id, sent),
    token: id === null ? null : await store.find(byId(clientTokens, id)),
  })

/** Splits an input into searchable fields, internal fields and the token. */
const splitFields = ({ fbAccessToken: token, address, fbId, ...given }: CheckedChange) => ({
  given,
  kept: { ...(address !== undefined && { address }), ...(fbId !== undefined && { fbId }) },
  token,
})

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

export const updateClient = (ports: PaymentsPorts) => (actor: Tenant, id: number, sent: ClientChange) =>
  withValidInput(ports, clientChange, sent, (change) => changeClient(ports, actor, id, change))

export const replaceClient = (ports: PaymentsPorts) => (actor: Tenant, id: number, sent: NewClient) =>
  withValidInput(ports, newClient, sent, (change) => changeClient(ports, actor, id, change))

export const removeClient = (ports: PaymentsPorts) => (actor: Tenant, id: number) =>
  useCase(ports, factsFor(actor, id, {}), ({ facts, token }, fresh) => {
    const made = client.remove(facts, fresh)
    if (isLeft(made)) return made
    const { record, changes } = made.right
    return accept(null, ...changes, ...storeToken(ports.cipher, record, token, null))
  })

const clientToken = record({
  /** The id of the client. */
  id: t.number,
  accountId: t.number,
  fbAccessTokenSealed: t.string,
})

/** A client's token of another network, in a record of its own: no route returns it. */
export type ClientToken = t.TypeOf<typeof clientToken>

export const clientTokens: Collection<ClientToken> = {
  name: 'payments.client-tokens',
  ids: 'integer',
  codec: clientToken,
  owner: 'accountId',
}

/** Returns the changes that store a token; null removes the stored one, undefined leaves it. */
const storeToken = (
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
