import { right } from '../../../core/failure.ts'
import { text } from '../replies/raw-reply.ts'
import type { HttpRequest } from '../request.ts'
import { html } from './html.ts'
import { cardPage, PAGE_HEADERS, PAGE_TYPE } from './page.ts'

interface HomeLink {
  readonly path: string
  readonly about: string
}

interface Home {
  readonly title: string
  readonly links: readonly HomeLink[]
  /** The answer to other clients. */
  readonly plain: string
}

/** Reports whether the client is a browser: other clients accept anything, or text. */
const isBrowser = (request: HttpRequest): boolean => (request.header('accept') ?? '').includes('text/html')

/** Returns the parts of a row for `GET /`: a page of links for browsers, and a text for other clients. */
export const homeOf = ({ title, links: places, plain }: Home) => ({
  run:
    ({ request }: { readonly request: HttpRequest }) =>
    async () =>
      right(isBrowser(request)),
  reply: text<boolean>({
    type: (asPage) => (asPage ? PAGE_TYPE : 'text/plain; charset=utf-8'),
    // RFC 8631.
    headers: (asPage) => ({
      ...(asPage ? PAGE_HEADERS : {}),
      Vary: 'Accept, Origin',
      Link: '<docs>; rel="service-doc", <openapi.json>; rel="service-desc"',
    }),
    view: (asPage) =>
      asPage
        ? cardPage(
            title,
            html`${places.map(({ path, about }) => html`<p><a href="${path.slice(1)}">${path}</a>: ${about}</p>`)}`,
          )
        : plain,
  }),
})
