import { right } from '../../../../core/fp.ts'
import { type Field, field } from '../../../../core/kernel/input/codec.ts'
import { type CodeFormat, LONG, readLongCode } from '../../../../core/payments/access/codes/code-format.ts'
import type { Payments } from '../../../../core/payments/payments.ts'
import type { HttpRequest } from '../../../http/request/http-request.ts'
import { originOf } from '../../origin.ts'

interface CodeCall {
  readonly core: Payments
  readonly request: HttpRequest
}

/** What every row has that takes a code: who has tried too many is told nothing else. Source: decisions.md §1. */
export const takesCode = {
  throttle: ({ core, request }: CodeCall) => core.codes.checkTries(originOf(request)),
} as const

/** Room for whatever separates the groups of a long code. */
const MAX_TYPED = 2 * LONG.length

/**
 * A code as a person types it: one that its field of short codes takes, or a long one. Which of the two is out the core
 * knows. Fails: as the field of short codes does. Source: decisions.md §1, Sessions and codes.
 */
export const typedCode = (short: Field<string>, { length }: CodeFormat): Field<string> => {
  const description = `${length} caracteres; depois de muitas tentativas erradas, ${LONG.length} letras e dígitos.`
  const { pattern: _, ...schema } = short.schema
  return field({
    name: 'code',
    schema: { ...schema, minLength: length, maxLength: MAX_TYPED, description },
    is: short.is,
    read: (value) => {
      const long = typeof value === 'string' && value.length <= MAX_TYPED ? readLongCode(value) : null
      return long === null ? short.read(value) : right(long)
    },
  })
}
