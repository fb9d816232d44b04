import { isLeft, right } from '../../failure.ts'
import {
  type Field,
  type FieldOptions,
  field,
  type InputCode,
  nullIfAbsent,
  reject,
  withDefault,
} from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { id, line, money, oneOf, taxId, text } from '../../kernel/input/scalars.ts'
import { BANK_ACCOUNT_TYPES } from '../../ports/bank.ts'
import { bankByCode, bankByIspb } from '../banks.ts'
import { pixKey } from '../pix/pix-key.ts'

/** The longest message that a receiver's bank accepts. */
const MAX_MESSAGE = 140
export const truncateMessage = (message: string | null): string | null =>
  message === null ? null : [...message].slice(0, MAX_MESSAGE).join('')

/** The message of a look-up may be longer; it is truncated on confirmation. */
const MAX_LOOKUP_MESSAGE = 255
const MAX_NAME = 255
const LEAST_CENTS = 1

const BRANCH = /^[0-9]{1,4}$/
const ACCOUNT = /^[0-9]{1,20}(-?[0-9X])?$/
const COMPE = /^[0-9]{1,3}$/
const ISPB_LENGTH = 8

/** A bank, by its COMPE code or its ISPB; decoded to its ISPB. */
const bankIspb = (about: FieldOptions): Field<string, string, InputCode | 'unknown'> => {
  const { schema, read, is } = text({ max: ISPB_LENGTH })
  return field<string, string, InputCode | 'unknown'>(
    {
      name: 'bank',
      schema,
      is,
      read: (value) => {
        const sent = read(value)
        if (isLeft(sent)) return sent
        const code = sent.right.toUpperCase()
        const bank = COMPE.test(code) ? bankByCode(code) : code.length === ISPB_LENGTH ? bankByIspb(code) : null
        return bank ? right(bank.ispb) : reject('unknown')
      },
    },
    about,
  )
}

const value = money({ wire: 'value', minCents: LEAST_CENTS, about: 'Valor' })
const key = pixKey({ wire: 'keypix', about: 'Chave Pix: CPF, CNPJ, e-mail, telefone ou chave aleatória' })

/** The message to the receiver; a row may give it another name and a lower maximum. */
export const messageField = ({ max = MAX_MESSAGE, ...about }: { readonly max?: number } & FieldOptions = {}) =>
  nullIfAbsent(text({ max, about: 'Mensagem a quem recebe', ...about }))

/** A branch of a bank, by the name that a row gives it. */
export const branchField = (wire: string) =>
  text({
    max: 4,
    pattern: { regex: BRANCH, code: 'bank-branch' },
    wire,
    about: 'Agência, de 1 a 4 dígitos, sem o dígito verificador',
  })

export const keyLookup = input('KeyLookup', {
  key,
  valueCents: nullIfAbsent(value),
  message: messageField({ max: MAX_LOOKUP_MESSAGE }),
})

export const confirmationFields = {
  internalId: id({ about: 'O internal_id da consulta da chave' }),
  key,
  valueCents: value,
  message: messageField(),
}

export const withdrawalConfirmation = input('WithdrawalConfirmation', confirmationFields)

/** A payment to a key without an earlier look-up. */
export const keyPayment = input('KeyPayment', {
  key,
  valueCents: value,
  document: nullIfAbsent(taxId({ about: 'CPF ou CNPJ de quem recebe, para conferir' })),
  message: messageField(),
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

export type KeyLookupInput = InputOf<typeof keyLookup>
export type WithdrawalConfirmation = InputOf<typeof withdrawalConfirmation>
export type KeyPayment = InputOf<typeof keyPayment>
export type AccountPayment = InputOf<typeof accountPayment>

export type DecodedLookup = DecodedOf<typeof keyLookup>
export type DecodedConfirmation = DecodedOf<typeof withdrawalConfirmation>
