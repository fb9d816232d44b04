import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { counted } from './format.ts'
import { addressOf, queryOf, route } from './route.ts'

/** A page of a list of the API. */
export interface ListReply<R> {
  readonly data: readonly R[]
  readonly meta: PageMeta
}

interface PageMeta {
  readonly current_page: number
  readonly last_page: number
  readonly total: number
}

/** Returns the query by which the API lists the page in the address of the view, with filters. */
export const pageQuery = (per_page: number, filters: Readonly<Record<string, string>> = {}): URLSearchParams =>
  queryOf({ per_page: `${per_page}`, page: route.value.query.get('pagina') ?? '1', ...filters })

interface PagesProps {
  readonly meta: PageMeta
  readonly one: string
  readonly many: string
  /** The parameter of the view with the page's number: a view may have two lists. */
  readonly parameter?: string
}

/** The size of a list and the links to its other pages, which keep the filters of the view. */
export const Pages = ({ meta: { current_page, last_page, total }, one, many, parameter = 'pagina' }: PagesProps) => {
  const { path, query } = route.value
  const page = (number: number) =>
    addressOf(`/${path.join('/')}`, { ...Object.fromEntries(query), [parameter]: `${number}` })
  return (
    <footer class="pages">
      <span>{counted(total, one, many)}</span>
      {current_page > 1 && <a href={page(current_page - 1)}>Anterior</a>}
      {last_page > 1 && (
        <span>
          Página {current_page} de {last_page}
        </span>
      )}
      {current_page < last_page && <a href={page(current_page + 1)}>Próxima</a>}
    </footer>
  )
}

interface SearchProps {
  readonly placeholder: string
  readonly onSearch: (text: string) => void
  /** Further choices beside the field. */
  readonly children?: ComponentChildren
}

/** The search field of a list. */
export const Search = ({ placeholder, onSearch, children }: SearchProps) => {
  const searched = route.value.query.get('search') ?? ''
  const [text, setText] = useState(searched)
  useEffect(() => setText(searched), [searched])
  return (
    <search>
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(text.trim())
        }}
      >
        <div class="field">
          <label for="search">Busca</label>
          <input
            id="search"
            type="search"
            placeholder={placeholder}
            maxLength={100}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
        {children}
      </form>
    </search>
  )
}
