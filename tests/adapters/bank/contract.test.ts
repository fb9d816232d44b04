import test from 'ava'
import { pixApi, pixApiBank } from '../../../adapters/bank/pix-api/mod.ts'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { bankContract } from '../../contracts/bank.ts'
import { contractTests } from '../contract-tests.ts'
import { openFakeBank } from './open-fake-bank.ts'
import { openPixApiServer } from './pix-api/pix-api-server.ts'

contractTests(
  test,
  'fake bank',
  bankContract({
    open: async () => {
      const opened = openFakeBank()
      return { ...opened, close: () => opened.runtime.store.close() }
    },
    pay: ({ pay }, payment) => pay(payment),
    keys: { known: 'maria@example.com', unknown: 'inexistente@example.com' },
    cutOff: ({ close }) => close(),
  }),
)

const openPixApi = async () => {
  const server = await openPixApiServer()
  const api = pixApi(server.settings)
  return {
    server,
    bank: pixApiBank(api)({ clock: systemClock }),
    async close() {
      await api.close()
      await server.close()
      // All requests and answers follow the document of the API.
      if (server.violations.length > 0) throw new Error(server.violations.join('\n'))
    },
  }
}

const UNUSED_KEYS = { known: 'maria@example.com', unknown: 'ninguem@example.com' }

contractTests(
  test,
  'API Pix',
  bankContract({
    open: openPixApi,
    pay: async ({ server }, { txid, valueCents }) => server.books.receive(valueCents, { txid }),
    cutOff: ({ server }) => server.close(),
    keys: UNUSED_KEYS,
  }),
)

test('the suite skips exactly the cases that the bank does not support', async (t) => {
  const cases = bankContract({ open: openPixApi, pay: async () => {}, cutOff: () => {}, keys: UNUSED_KEYS })
  const skipped = await Promise.all(
    cases
      .filter(({ name }) => /boleto|bolepix|two references|its one account/.test(name))
      .map(async ({ name, run }) => [name, await run()]),
  )
  t.deepEqual(skipped, [
    ['opens two accounts for two references', 'the bank cannot open-account'],
    ['returns its one account for every reference if it cannot open accounts', null],
    ['creates a boleto as one title with barcode and digitable line', 'the bank cannot boleto'],
    ['creates a bolepix as one title with barcode and digitable line', 'the bank cannot bolepix'],
  ])
})
