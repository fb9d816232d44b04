import { type Failure, failure } from '../../../failure.ts'
import { type Either, left, right } from '../../../fp.ts'
import type { BankAccountHolder } from '../../../ports/pay-outs.ts'
import { BANK_AWAY, notLeftBy } from '../../bank/bank-away.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { UNSUPPORTED } from './begin-pay-out.ts'

const NO_KEY = failure('not-found', 'key.unknown')

type KeyFailure = Failure<'key.unknown' | 'bank.unsupported' | 'bank.refused' | 'bank.unavailable', never>

/** Whose a key is. Fails: `bank.unsupported`, `key.unknown`, `bank.refused`, `bank.unavailable`. Source: decisions.md §11. */
export const askKey = async (
  { bank }: Pick<PaymentsPorts, 'bank'>,
  key: string,
): Promise<Either<KeyFailure, BankAccountHolder>> => {
  if (!bank.payOuts) return left(UNSUPPORTED)
  const answer = await bank.payOuts.findKey(key)
  if (answer.outcome === 'refused') return left(notLeftBy(answer.reason))
  if (answer.outcome !== 'done') return left(BANK_AWAY)
  return answer.value ? right(answer.value) : left(NO_KEY)
}
