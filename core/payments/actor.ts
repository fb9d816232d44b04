import { failure } from '../failure.ts'
import { type Either, isLeft, left, right } from '../fp.ts'
import type { UseCase } from '../kernel/running/use-case.ts'
import type { Origin } from '../office/audit.ts'
import type { Permission } from './role.ts'

/** Somebody whose session is alive, wherever they act. */
export interface Person {
  readonly userId: number
  readonly sessionId: string
  /** The account in the token, for what names no other. */
  readonly tokenAccountId: number | null
  /** The account for whose API key they got their token, and where alone it opens anything; null for who signed in. */
  readonly boundTo: number | null
  /** Where they call from, for the audit; left out where whoever embeds the core does not say. */
  readonly origin?: Origin | null
}

/** A person who acts in an account, with what their role may there. */
export interface Actor {
  readonly userId: number
  readonly accountId: number
  readonly roleId: number
  readonly permissions: readonly Permission[]
  readonly origin?: Origin | null
}

/** Somebody may not do it, by their role or by their token. */
export const LACKING = failure('forbidden', 'permission.lacking')

/** By what token somebody asks; one who is named without a token asks themselves. */
type ByToken = Partial<Pick<Person, 'boundTo'>>

/**
 * Whether somebody asks themselves: whoever has an account's API key is not the person whose e-mail they gave with it.
 * Fails: `permission.lacking`. Source: decisions.md §1, Sessions and codes.
 */
export const inPerson = <P extends ByToken>(person: P): Either<typeof LACKING, P> =>
  (person.boundTo ?? null) === null ? right(person) : left(LACKING)

/** A use case on what belongs to a person across accounts: none for a token that was given for an API key. */
export const onlyInPerson =
  <P, A extends readonly unknown[], V, C extends string = never, I extends string = never>(
    own: (person: P, ...input: A) => UseCase<V, C, I>,
  ) =>
  (person: P & ByToken, ...input: A): UseCase<V, C | 'permission.lacking', I> => {
    const may = inPerson(person)
    return isLeft(may) ? async () => may : own(person, ...input)
  }
