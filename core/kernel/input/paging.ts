import { type GivenFor, input } from './input.ts'
import { inQuery } from './query.ts'

/** Which page of a list, and how much of it. */
export const pageFields = {
  page: inQuery.page({ about: 'Página, a partir de 1' }),
  perPage: inQuery.perPage({ about: 'Registros por página' }),
}

/** A page of a list that nothing else narrows. */
export const paging = input(null, pageFields)

/** Which page a program asks for: the first of 15 records where it does not say. */
export type Paging = GivenFor<typeof paging>
