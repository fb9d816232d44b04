import { CAMEL_CASE } from '../../core/kernel/input/field.ts'
import type { Dialect, FieldErrors } from '../http/replies/dialect.ts'

/** `idToken` and `id_token` as `ID_TOKEN`. */
const capitals = (name: string): string => name.replace(/[A-Z]/g, '_$&').toUpperCase()

/** What is wrong with the first wrong field, in the words of Firebase. */
const wordOf = (errors: FieldErrors, message: string): string => {
  const [[field, [first]] = ['', []]] = Object.entries(errors)
  if (first === undefined) return message
  if ((field === 'password' || field === 'newPassword') && first.code === 'text.min')
    return 'WEAK_PASSWORD : Password should be at least 6 characters'
  return `${first.code === 'required' ? 'MISSING' : 'INVALID'}_${capitals(field)}`
}

/** Operations of Firebase that the issuer does not have. */
const UNKNOWN: Readonly<Record<string, string>> = {
  'route.unknown': 'OPERATION_NOT_ALLOWED : The development issuer has no such operation.',
  'method.not-allowed': 'OPERATION_NOT_ALLOWED : The development issuer has no such operation by this method.',
}

const violationsOf = (errors: FieldErrors) =>
  Object.entries(errors).flatMap(([field, wrong]) =>
    wrong.map(({ code, message }) => ({ field, description: message, reason: code })),
  )

/** Answers as Firebase Authentication words them, which its clients read. Source: decisions.md §7, `IDENTITY_SIGN_IN_URL`. */
export const google: Dialect = {
  side: CAMEL_CASE,
  about: {
    data: 'O que foi pedido',
    error: 'O que aconteceu',
    code: 'O status HTTP',
    message: 'O que aconteceu, para programas: uma palavra do Firebase, e depois de ` : ` o que ela diz',
    errors: 'O mesmo, como uma lista',
    domain: 'De quem é a palavra',
    reason: 'O que aconteceu, para programas',
    details: 'O que está errado, se há campos errados',
    '@type': 'O que este detalhe é',
    fieldViolations: 'O que está errado, campo a campo',
    field: 'O caminho do campo',
    description: 'O que está errado, para pessoas',
  },
  ok: ({ data }) => data,
  page: ({ data }) => data,
  fail: ({ status, code, message, errors }) => {
    const word = UNKNOWN[code] ?? (errors === null ? message : wordOf(errors, message))
    return {
      error: {
        code: status,
        message: word,
        errors: [{ message: word, domain: 'global', reason: code }],
        details:
          errors === null
            ? []
            : [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violationsOf(errors) }],
      },
    }
  },
}
