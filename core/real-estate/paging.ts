import { input } from '../kernel/input/input.ts'
import { inQuery } from '../kernel/input/query.ts'

const PAGE_SIZE = 20
const MAX_PAGE_SIZE = 100

/** Which page of a list, and how much of it. Source: 03-real-estate.md, Common list envelope; decisions.md §6. */
export const pageFields = {
  page: inQuery.page({ about: 'Página, a partir de 1' }),
  perPage: inQuery.perPage({ default: PAGE_SIZE, max: MAX_PAGE_SIZE, wire: 'pageSize', about: 'Registros por página' }),
}

/** A page of a list that nothing else narrows. */
export const paging = input(null, pageFields)
