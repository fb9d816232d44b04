import { failure } from '../../failure.ts'
import { left, right } from '../../fp.ts'
import { useCaseOf } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { accounts } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { PAYEE_CITY } from '../charges/titles/title-order.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { MAX_STATIC_TXID, staticPixCode } from '../pix/br-code.ts'
import { openTxidOf } from '../pix/open-txid.ts'

/** The text of a code by which whoever pays says how much, and the txid that is told of what comes by it. */
export interface OpenCode {
  readonly txid: string
  readonly payload: string
}

/**
 * The account's open code. Fails: `account.unknown`, `bank.unsupported` (the bank alone makes codes, or the account has no
 * key). Source: decisions.md §9, Others.
 */
export const readOpenCode =
  ({ store, bank }: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>) =>
    useCaseOf<OpenCode>()(async () => {
      const account = await store.find(byId(accounts, accountId))
      if (!account) return left(failure('not-found', 'account.unknown'))
      const { pixKey: key, name: merchantName, uuid } = account
      const isStatic = bank.can.includes('pix') && bank.txidLength <= MAX_STATIC_TXID
      if (!isStatic || key === null) return left(failure('refused', 'bank.unsupported'))
      const txid = openTxidOf(uuid)
      return right({ txid, payload: staticPixCode({ key, merchantName, merchantCity: PAYEE_CITY, txid }) })
    })
