import { invalid, isLeft, issue, left } from '../../failure.ts'
import {
  convertedText,
  type Field,
  type FieldOptions,
  type InputCode,
  type InputOf,
  input,
  line,
  money,
  nullIfAbsent,
  oneOf,
  taxId,
  text,
  withDefault,
} from '../../kernel/input/mod.ts'
import { insert } from '../../kernel/records/record.ts'
import { startOperation, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { BANK_ACCOUNT_TYPES } from '../../ports/bank.ts'
import { bankByCode, bankByIspb } from '../banks.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { findKeyOwner } from './key-lookup.ts'
import { checkPayOut, payOutUseCase, readPayOutFacts, type StartedPayOut, startPayOut } from './pay-out.ts'
import {
  BANK_UNSUPPORTED,
  destinationOf,
  keyField,
  LEAST_CENTS,
  messageField,
  newWithdrawal,
  type Receiver,
  valueField,
  type WithdrawalPayer,
  withdrawals,
} from './withdrawal.ts'

/** A payment to a key without an earlier look-up. */
export const keyPayment = input('KeyPayment', {
  key: keyField,
  valueCents: valueField,
  document: nullIfAbsent(taxId({ about: 'CPF ou CNPJ de quem recebe, para conferir' })),
  message: messageField(),
})
export type KeyPayment = InputOf<typeof keyPayment>

const MAX_NAME = 255
const BRANCH = /^[0-9]{1,4}$/
const ACCOUNT = /^[0-9]{1,20}(-?[0-9X])?$/
const COMPE = /^[0-9]{1,3}$/
const ISPB_LENGTH = 8

/** A bank, by its COMPE code or its ISPB; decoded to its ISPB. */
const bankIspb = (about: FieldOptions): Field<string, string, InputCode | 'unknown'> =>
  convertedText(
    'bank',
    text({ max: ISPB_LENGTH }),
    (sent) => findBank(sent.toUpperCase())?.ispb ?? null,
    'unknown',
    about,
  )

const findBank = (code: string) => {
  if (COMPE.test(code)) return bankByCode(code)
  return code.length === ISPB_LENGTH ? bankByIspb(code) : null
}

/** A branch of a bank; its name on the wire differs between routes. */
export const branchField = (wire: string) =>
  text({
    max: 4,
    pattern: { regex: BRANCH, code: 'bank-branch' },
    wire,
    about: 'Agência, de 1 a 4 dígitos, sem o dígito verificador',
  })

export const accountPaymentFields = {
  valueCents: money({ wire: 'amount', minCents: LEAST_CENTS, about: 'Valor' }),
  ispb: bankIspb({ wire: 'bank_code', about: 'Código COMPE do banco, ou o ISPB' }),
  branch: branchField('agency'),
  account: text({
    max: 22,
    pattern: { regex: ACCOUNT, code: 'bank-account' },
    about: 'Conta, com o dígito verificador; o hífen é opcional',
  }),
  accountType: withDefault(oneOf(BANK_ACCOUNT_TYPES, { about: 'Tipo da conta' }), 'CORRENTE'),
  name: line({ max: MAX_NAME, wire: 'beneficiary_name', about: 'Nome de quem recebe' }),
  document: taxId({ wire: 'beneficiary_document', about: 'CPF ou CNPJ de quem recebe' }),
  message: messageField(),
}

export const accountPayment = input('AccountPayment', accountPaymentFields)
export type AccountPayment = InputOf<typeof accountPayment>

/** A payment to a receiver; `lookupSince` is the window in which its look-up counts, null without one. */
interface Payment {
  readonly to: Receiver
  readonly valueCents: number
  readonly message: string | null
  readonly lookupSince: Instant | null
}

export const payAccount = (ports: PaymentsPorts) => (payer: WithdrawalPayer, submitted: AccountPayment) =>
  withValidInput(ports, accountPayment, submitted, ({ valueCents, message, ...to }) =>
    payOutUseCase(
      ports,
      startPayment(ports, payer, { to: { ...to, key: null }, valueCents, message, lookupSince: null }),
    ),
  )

/** Requests the owner of the key from the bank only if the value may be paid out. */
export const payKey = (ports: PaymentsPorts) => (payer: WithdrawalPayer, submitted: KeyPayment) =>
  withValidInput(ports, keyPayment, submitted, ({ key, valueCents, document, message }) => {
    const start = useCaseOf<StartedPayOut>()(async (hooks) => {
      if (!ports.bank.payOuts) return left(BANK_UNSUPPORTED)
      const steady = ports.clock.steady()
      const facts = await readPayOutFacts(ports, ports.store, payer, { destination: key, valueCents })
      const checked = checkPayOut(facts, valueCents, steady)
      if (isLeft(checked)) return checked
      const owner = await findKeyOwner(ports, checked.right.account, key)()
      if (isLeft(owner)) return owner
      const { holder, lookupSince } = owner.right
      if (document !== null && document !== holder.document)
        return left(invalid([issue('document', 'withdrawal.other-document')]))
      return startPayment(ports, payer, { to: { ...holder, key }, valueCents, message, lookupSince })(hooks)
    })
    return payOutUseCase(ports, start)
  })

const startPayment = (ports: PaymentsPorts, payer: WithdrawalPayer, { to, ...payment }: Payment) =>
  startOperation(
    ports,
    (store) => {
      const request = { destination: destinationOf(to), valueCents: payment.valueCents }
      return readPayOutFacts(ports, store, payer, request)
    },
    (facts, fresh) => {
      if (!ports.bank.payOuts) return left(BANK_UNSUPPORTED)
      const awaiting = newWithdrawal(ports.bank, payer, to, payment, fresh)
      return startPayOut(ports, facts, awaiting, fresh, (withdrawal) => insert(withdrawals, withdrawal))
    },
  )
