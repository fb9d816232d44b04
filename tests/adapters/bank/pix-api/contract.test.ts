import test from 'ava'
import { pixApi, pixApiBank } from '../../../../adapters/bank/pix-api/mod.ts'
import { systemClock } from '../../../../adapters/clock/system-clock.ts'
import { bankContract } from '../../../contracts/bank.ts'
import { contractTests } from '../../contract-tests.ts'
import { openPixApiServer } from './pix-api-server.ts'

const open = async () => {
  const server = await openPixApiServer()
  const api = pixApi(server.settings)
  return {
    server,
    bank: pixApiBank(api)({ clock: systemClock }),
    async close() {
      await api.close()
      await server.close()
      // Whatever was tried, both spoke as the document of the API says.
      if (server.violations.length > 0) throw new Error(server.violations.join('\n'))
    },
  }
}

/** Nothing is paid out to them. */
const KEYS = { known: 'maria@example.com', unknown: 'ninguem@example.com' }

contractTests(
  test,
  'API Pix',
  bankContract({
    open,
    pay: async ({ server }, { txid, valueCents }) => server.books.receive(valueCents, { txid }),
    cutOff: ({ server }) => server.close(),
    keys: KEYS,
  }),
)

test('the suite skips what the bank cannot do, and nothing else', async (t) => {
  const cases = bankContract({ open, pay: async () => {}, cutOff: () => {}, keys: KEYS })
  const leftOut = await Promise.all(
    cases
      .filter(({ name }) => /boleto|bolepix|two references|its one account/.test(name))
      .map(async ({ name, run }) => [name, await run()]),
  )
  t.deepEqual(leftOut, [
    ['opens two accounts for two references', 'the bank cannot open-account'],
    ['returns its one account for every reference if it cannot open accounts', null],
    ['creates a boleto as one title with barcode and digitable line', 'the bank cannot boleto'],
    ['creates a bolepix as one title with barcode and digitable line', 'the bank cannot bolepix'],
  ])
})
