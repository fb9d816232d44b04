import type { TestApi } from '../payments/test-api.ts'
import { basics, type Fixture, made } from './basics.ts'

/** Somebody with one line on their statement: that of a charge that was paid. */
const transaction: Fixture = async (api: TestApi) => {
  const { token = '' } = (await basics.paidCharge?.(api)) ?? {}
  const { data } = made(await api.ask('GET', '/consolidation/transactions', { token }))
  const id = `${data[0].id}`
  return { token, params: { id }, query: { id } }
}

export const statementFixtures: Readonly<Record<string, Fixture>> = { transaction }
