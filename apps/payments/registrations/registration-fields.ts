import { flatMap, isLeft, pipe, right } from '../../../core/fp.ts'
import { type Field, field, type Read, wrong } from '../../../core/kernel/input/codec.ts'
import { integer } from '../../../core/kernel/input/fields/numbers.ts'
import { text } from '../../../core/kernel/input/fields/texts.ts'
import { isTaxId, normalizeTaxId } from '../../../core/kernel/values/tax-id.ts'
import { LETTERS } from '../../../core/payments/access/codes/code-format.ts'
import { typedCode } from '../access/codes/typed-code.ts'

const MAX_SENT = 40
/** What a CPF and a CNPJ have. */
const CPF_LENGTH = 11
const CNPJ_LENGTH = 14

const marked = text({ max: MAX_SENT })
const isText = (value: unknown): value is string => typeof value === 'string'

const documentField = (schema: Field<string>['schema'], read: (bare: string) => Read<string>): Field<string> =>
  field({
    name: 'document',
    schema: { type: 'string', ...schema },
    is: isText,
    read: (value) =>
      pipe(
        marked.read(value),
        flatMap((sent) => read(normalizeTaxId(sent))),
      ),
  })

/**
 * The document of a registration, without marks. One of a wrong length is none of its issues: the text has another answer
 * for it. Fails: as a text does, `document` (its check digits are wrong).
 */
export const applicantDocument = (): Field<string> =>
  documentField({ maxLength: MAX_SENT }, (bare) => {
    const isLikeOne = bare.length === CPF_LENGTH || bare.length === CNPJ_LENGTH
    return isLikeOne && !isTaxId(bare) ? wrong('document') : right(bare)
  })

/** A document to look for, of 11 to 14 characters without its marks. Fails: as a text does. */
export const documentLookedFor = (): Field<string> =>
  documentField({ minLength: CPF_LENGTH, maxLength: CNPJ_LENGTH }, (bare) => {
    if (bare.length < CPF_LENGTH) return wrong('text.min', { min: CPF_LENGTH })
    return bare.length > CNPJ_LENGTH ? wrong('text.max', { max: CNPJ_LENGTH }) : right(bare)
  })

const NUMERAL = /^[0-9]{1,15}$/
const id = integer({ min: 1 })

/** An id as a number or, since a form knows nothing else, as its digits. Fails: `required`, `integer`, `integer.min`. */
export const registerId = (): Field<number> =>
  field({
    ...id,
    schema: { type: ['integer', 'string'], minimum: 1, pattern: NUMERAL.source },
    read: (value) => {
      if (!isText(value)) return id.read(value)
      if (value.trim() === '') return wrong('required')
      const number = NUMERAL.test(value) ? id.read(Number(value)) : wrong('integer')
      return isLeft(number) ? number : right(number.right)
    },
  })

/** A code of four letters, in any case, or a long one. Fails: as a text does, `letters`. */
export const letters = (): Field<string> =>
  typedCode(text({ max: LETTERS.length, pattern: { regex: /^[A-Za-z]{4}$/, code: 'letters' } }), LETTERS)
