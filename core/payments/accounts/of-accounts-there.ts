import { all, eq, isIn } from '../../kernel/records/where.ts'
import { listOf, type Store } from '../../ports/store.ts'
import { type Account, accounts } from './account.ts'

/** Of some records those whose account is there, in their order: one that was removed asks nobody for anything any more. */
export const ofAccountsThere = async <R extends { readonly accountId: number }>(
  store: Pick<Store, 'list'>,
  records: readonly R[],
): Promise<readonly R[]> => {
  const ids = [...new Set(records.map(({ accountId }) => accountId))]
  if (ids.length === 0) return []
  const where = all<keyof Account & string>(isIn('id', ids), eq('removedAt', null))
  const found = await store.list(listOf(accounts, { where, limit: ids.length }))
  const there = new Set(found.records.map(({ id }) => id))
  return records.filter(({ accountId }) => there.has(accountId))
}
