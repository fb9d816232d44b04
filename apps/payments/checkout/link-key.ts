import { inQuery } from '../../../core/kernel/input/query.ts'
import { secret } from '../../../core/kernel/input/texts.ts'
import type { LinkKey } from '../../../core/payments/checkout/open-link.ts'
import type { HttpRequest } from '../../http/request.ts'
import { originOf } from '../api.ts'

/** The header that may carry the token of a link in the place of the query. Source: decisions.md §3, Payment link. */
const TOKEN_HEADER = 'X-Link-Token'

/** For the documentation: a wrong one is refused before anything else of the query is read. */
export const linkTokenQuery = {
  token: inQuery.of(secret({ about: `O token do link; pode vir no cabeçalho \`${TOKEN_HEADER}\`` })),
}

/** Reads the key of a link from a request, with the address of its caller. */
export const linkKeyOf = (request: HttpRequest): LinkKey => {
  const { params, query, header } = request
  const token = query.token ?? header(TOKEN_HEADER)
  return { id: params.id ?? '', token: typeof token === 'string' ? token : null, origin: originOf(request) }
}
