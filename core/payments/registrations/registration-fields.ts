import { flatMap, pipe, right } from '../../fp.ts'
import {
  type Field,
  type FieldExtras,
  type FieldOptions,
  field,
  type InputCode,
  type ReadResult,
  reject,
} from '../../kernel/input/field.ts'
import { id, oneOf } from '../../kernel/input/scalars.ts'
import { pick } from '../../kernel/input/table.ts'
import { line, text } from '../../kernel/input/texts.ts'
import { isTaxId, normalizeTaxId } from '../../kernel/values/tax-id.ts'
import { LETTERS } from '../access/codes/code-format.ts'
import { typedCode } from '../access/codes/typed-code.ts'
import { userFields } from '../members/user-fields.ts'

const MAX_SENT = 40
/** What a CPF and a CNPJ have. */
const CPF_LENGTH = 11
const CNPJ_LENGTH = 14

const marked = text({ max: MAX_SENT })
const isText = (value: unknown): value is string => typeof value === 'string'

const documentField = (
  schema: Field<string>['schema'],
  about: FieldExtras<string, string, InputCode>,
  read: (bare: string) => ReadResult<string>,
): Field<string> =>
  field<string, string, InputCode>(
    {
      name: 'document',
      schema: { type: 'string', ...schema },
      is: isText,
      read: (value) =>
        pipe(
          marked.read(value),
          flatMap((sent) => read(normalizeTaxId(sent))),
        ),
    },
    about,
  )

/**
 * The document of a registration, without marks. One of a wrong length is none of its issues: the text has another answer
 * for it. Fails: as a text does, `document` (its check digits are wrong).
 */
const applicantDocument = (about: FieldOptions): Field<string> => {
  const wire: Field<string> = documentField(
    { maxLength: MAX_SENT },
    { ...about, on: ({ is }) => (is === 'program' ? program : wire) },
    (bare) => {
      const isLikeOne = bare.length === CPF_LENGTH || bare.length === CNPJ_LENGTH
      return isLikeOne && !isTaxId(bare) ? reject('document') : right(bare)
    },
  )
  // What was sent of marks alone was read as a text of nothing, and stays it when it is read again.
  const program: Field<string> = field<string, string, InputCode>(
    { ...wire, read: (value) => (value === '' ? right('') : wire.read(value)) },
    about,
  )
  return wire
}

/** A document to look for, of 11 to 14 characters without its marks. Fails: as a text does. */
const documentLookedFor = (about: FieldOptions): Field<string> =>
  documentField({ minLength: CPF_LENGTH, maxLength: CNPJ_LENGTH }, about, (bare) => {
    if (bare.length < CPF_LENGTH) return reject('text.min', { min: CPF_LENGTH })
    return bare.length > CNPJ_LENGTH ? reject('text.max', { max: CNPJ_LENGTH }) : right(bare)
  })

const NUMERAL = /^[0-9]{1,15}$/

/** An id, on the wire as a number or, since a form knows nothing else, as its digits. Fails: as an id does. */
const formId = (about: FieldOptions): Field<number> => {
  const plain = id(about)
  const wire: Field<number> = field<number, number, InputCode>(
    {
      ...plain,
      schema: { type: ['integer', 'string'], minimum: 1, pattern: NUMERAL.source },
      read: (value) => {
        if (!isText(value)) return plain.read(value)
        if (value.trim() === '') return reject('required')
        return NUMERAL.test(value) ? plain.read(Number(value)) : reject('integer')
      },
    },
    { ...about, on: ({ is }) => (is === 'program' ? plain : wire) },
  )
  return wire
}

/** `PF` for a CPF, `PJ` for a CNPJ. Source: decisions.md §1, Onboarding. */
export const ACCOUNT_TYPES = ['PF', 'PJ'] as const

/** How far a registration is. */
export const REGISTRATION_STATES = [
  'PENDING_EMAIL',
  'PENDING_DOCUMENTS',
  'UNDER_REVIEW',
  'APPROVED',
  'REJECTED',
] as const

const document = { about: 'CPF ou CNPJ' }

/** What is known of somebody who asks for an account. Source: 01-access.md, Legacy onboarding. */
export const registrationFields = {
  id: id({ about: 'Identificador do cadastro' }),
  ...pick(userFields, 'name', 'email'),
  address: line({ max: 255, about: 'Endereço' }),
  document: applicantDocument(document),
  accountType: oneOf(ACCOUNT_TYPES, { about: 'PF para um CPF, PJ para um CNPJ' }),
  state: oneOf(REGISTRATION_STATES, { wire: 'account_status', about: 'Situação do cadastro' }),
}

/** What somebody knows who may go on with a registration. */
export const pairFields = {
  document: documentLookedFor(document),
  registrationId: formId({ wire: 'register_id', about: 'Identificador do cadastro' }),
}

/** A code of four letters, in any case, or a long one. Fails: as a text does, `letters`. */
export const lettersField = typedCode(
  text({ max: LETTERS.length, pattern: { regex: /^[A-Za-z]{4}$/, code: 'letters' } }),
  LETTERS,
  { about: 'Código enviado por e-mail' },
)
