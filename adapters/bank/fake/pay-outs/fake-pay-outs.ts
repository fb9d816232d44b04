import { failure } from '../../../../core/failure.ts'
import { isLeft, left, right } from '../../../../core/fp.ts'
import { insert } from '../../../../core/kernel/records/change.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { accept, decideAndCommit, type Runtime, type UseCase } from '../../../../core/kernel/running/use-case.ts'
import { endToEndId } from '../../../../core/payments/pix/pix-id.ts'
import type {
  BankAccountHolder,
  BankAnswer,
  CompletedPayOut,
  PayOutOrder,
  PayOuts,
  PayOutTarget,
} from '../../../../core/ports/bank.ts'
import { byId, listOf, type Store, StoreUnavailable } from '../../../../core/ports/store.ts'
import { down, unknown, unlessFaulty } from '../faults.ts'
import { ownerOf } from './key-owner.ts'
import { type PayOut, payOuts } from './pay-out-books.ts'

export const FAKE_ISPB = '01181521'

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const NO_KEY = 'A chave Pix não existe.'
const MOST_SHOWN = 500

/** How the embedded bank pays out: whatever it is asked, at once, and once by each id. Source: decisions.md §8. */
export const fakePayOuts = (runtime: Runtime): PayOuts => ({
  findKey: (key) => unlessFaulty(runtime, 'lookup_key', async () => ({ outcome: 'done', value: ownerOf(key) })),
  payOut: (order) => unlessFaulty(runtime, 'pay_out', () => payOut(runtime, order)),
  findPayOut: async (id) => {
    try {
      const known = await runtime.store.find(byId(payOuts, id))
      return { outcome: 'done', value: known && paidOutOf(known) }
    } catch (error) {
      if (error instanceof StoreUnavailable) return down
      throw error
    }
  },
})

const paidOutOf = ({
  endToEndId: id,
  paidAt,
  name,
  document,
  ispb,
  branch,
  account,
  accountType,
}: PayOut): CompletedPayOut => ({
  endToEndId: id,
  paidAt,
  receiver: { name, document, ispb, branch, account, accountType },
})

const receiverOf = (to: PayOutTarget): BankAccountHolder | null => ('key' in to ? ownerOf(to.key) : to.holder)

const payOut = async (runtime: Runtime, { id, to, valueCents }: PayOutOrder): Promise<BankAnswer<CompletedPayOut>> => {
  const receiver = receiverOf(to)
  const answer = await decideAndCommit(
    runtime,
    (store) => store.find(byId(payOuts, id)),
    (known, fresh) => {
      if (known) return accept(known)
      if (receiver === null) return left(failure('not-found', 'key.unknown'))
      const { name, document, ispb, branch, account, accountType } = receiver
      const paid: PayOut = {
        id,
        endToEndId: endToEndId({ ispb: FAKE_ISPB, instant: fresh.now, random: fresh.text(ALPHANUMERIC, 11) }),
        valueCents,
        key: 'key' in to ? to.key : null,
        name,
        document,
        ispb,
        branch,
        account,
        accountType,
        paidAt: fresh.steady,
      }
      return accept(paid, insert(payOuts, paid))
    },
  )
  if (!isLeft(answer)) return { outcome: 'done', value: paidOutOf(answer.right) }
  // A commit whose answer was lost may have happened.
  return answer.left.tag === 'not-found' ? { outcome: 'refused', reason: NO_KEY } : unknown
}

/** What was really paid out, newest first; by the platform's id, that one alone. */
export const listPayOuts =
  (store: Store, id: string | null): UseCase<readonly PayOut[], never> =>
  async () => {
    if (id !== null) {
      const known = await store.find(byId(payOuts, id))
      return right(known ? [known] : [])
    }
    const { records } = await store.list(
      listOf(payOuts, { where: always, sort: { by: 'paidAt', dir: 'desc' }, limit: MOST_SHOWN }),
    )
    return right(records)
  }
