import { failure } from '../../../failure.ts'
import { type Change, remove } from '../../../kernel/records/change.ts'
import { eq } from '../../../kernel/records/where.ts'
import type { Bank } from '../../../ports/bank.ts'
import { byId } from '../../../ports/store.ts'
import type { Verdict } from '../../bank/handler.ts'
import type { Operation } from '../../bank/operation.ts'
import { type Claim, claimId, claims, reserveUnique } from '../../claim.ts'

const KIND = 'bank-account'
const ONLY = 'only'
const ID = claimId(KIND, ONLY)

/** Who has the account of a bank that opens none: what holds it, or is about to. */
export const onlyAccount = byId(claims, ID)

/** The bank opens no further account. */
export const NO_ACCOUNT = failure('refused', 'bank.unsupported')

type Can = Pick<Bank, 'can'>

const opensAccounts = ({ can }: Can): boolean => can.includes('open-account')

/** Whether nobody can be given an account any more. Source: decisions.md §7, `BANK`. */
export const isGiven = (bank: Can, only: Claim | null): boolean => !opensAccounts(bank) && only !== null

/** What holds the one account for whoever it is being opened for: of two at once one is refused. */
export const holdOnly = (bank: Can, uuid: string): readonly Change[] =>
  opensAccounts(bank) ? [] : [reserveUnique(KIND, ONLY, uuid, null)]

/** The same verdict; where it came to no account, the one that was held for it is free again. */
export const freeOnly = <V, C extends string>(
  { id }: Pick<Operation, 'id'>,
  only: Claim | null,
  verdict: Verdict<V, C>,
): Verdict<V, C> => {
  const hasEnded = verdict.is === 'refused' || verdict.is === 'withdrawn'
  if (!hasEnded || only?.holder !== id) return verdict
  return { ...verdict, changes: [...(verdict.changes ?? []), remove(claims, ID, eq('holder', id))] }
}
