import { invalid, issue } from '../../../failure.ts'
import { secret } from '../../../kernel/input/texts.ts'
import { byId, type Store } from '../../../ports/store.ts'
import { findUserByEmail, type User, userFields } from '../../members/user.ts'
import { type Code, codes } from './code.ts'

export const aboutCode = { about: 'Código que foi enviado por e-mail' }

/** A code that somebody types in, with the e-mail it was sent to. What can be no code is a wrong one. */
export const typedCodeFields = {
  email: userFields.email,
  code: secret({ max: 255, ...aboutCode }),
}

export interface CodeFacts {
  readonly user: User | null
  readonly code: Code | null
}

export const readCode = async (store: Store, email: string): Promise<CodeFacts> => ({
  user: await findUserByEmail(store, email),
  code: await store.find(byId(codes, email)),
})

export const wrongCode = () => invalid([issue('code', 'code.invalid')], 'code.invalid')
