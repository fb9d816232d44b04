import test from 'ava'
import { fakeBank, fakeBankCollections, fakeBankConsole } from '../../../adapters/bank/fake/mod.ts'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { systemRandom } from '../../../adapters/crypto/random.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { right } from '../../../core/fp.ts'
import { idPool } from '../../../core/kernel/running/fresh.ts'
import { bankContract } from '../../contracts/bank.ts'
import { contractTests } from '../contract-tests.ts'

/** A platform that hears of everything. */
const platform = {
  paid: () => async () => right(null),
  received: () => async () => right(null),
  cancelled: () => async () => right(null),
  amountDue: () => async () => right(0),
}

const open = async () => {
  const store = memoryStore(fakeBankCollections)
  const runtime = { store, clock: systemClock, random: systemRandom, ids: idPool(store) }
  return {
    bank: fakeBank(runtime),
    console: fakeBankConsole(runtime, platform),
    closeStore: () => store.close(),
    close: () => store.close(),
  }
}

contractTests(
  test,
  'fake bank',
  bankContract({
    open,
    pay: ({ console }, payment) => console.pay(payment)(),
    keys: { known: 'maria@example.com', unknown: 'inexistente@example.com' },
    cutOff: ({ closeStore }) => closeStore(),
  }),
)
