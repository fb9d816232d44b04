import { t } from '../../fp.ts'
import { type Change, insert, patch, remove } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { at, record } from '../../kernel/records/record.ts'
import { always } from '../../kernel/records/where.ts'
import type { Cipher } from '../../ports/runtime.ts'
import type { Client } from './client.ts'

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
export const keepToken = (
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
