import type { ComponentChildren, JSX } from 'preact'
import { Button, Figure, type Loaded, LoadState, Title } from '../../../panels/browser/elements.tsx'
import { money } from '../../../panels/browser/format.ts'
import { type ListReply, Pages, pageQuery } from '../../../panels/browser/list.tsx'
import type { Live } from '../../../panels/browser/live.ts'
import { addressOf, goTo, route } from '../../../panels/browser/route.ts'

/** The link to the list of a record or of a form. */
export const Back = ({ href, children }: { readonly href: string; readonly children: string }) => (
  <p class="hint">
    <a href={href}>{children}</a>
  </p>
)

interface HeadProps {
  readonly title: string
  /** The text and the address of the link to a new record; false if the user may not create one. */
  readonly create: readonly [text: string, href: string] | false
}

/** The head of a list's view. */
export const Head = ({ title, create }: HeadProps) => (
  <header class="head">
    <Title>{title}</Title>
    {create && (
      <a class="button" href={create[1]}>
        {create[0]}
      </a>
    )}
  </header>
)

interface FilterLink {
  readonly text: string
  readonly href: string
  readonly isCurrent: boolean
  /** The number of records in brackets; empty until it is read. */
  readonly number?: string
}

interface FilterLinksProps {
  readonly label: string
  readonly filters: readonly FilterLink[]
}

/** The links to the filters of a list, of which one is in use. */
export const FilterLinks = ({ label, filters }: FilterLinksProps) => (
  <nav class="filters" aria-label={label}>
    {filters.map(({ text, href, isCurrent, number }) => (
      <a key={text} href={href} aria-current={isCurrent ? 'true' : undefined}>
        {text}
        {number !== undefined && (
          <>
            {' '}
            <span class="number">{number}</span>
          </>
        )}
      </a>
    ))}
  </nav>
)

interface UnreadProps {
  readonly live: Loaded & Pick<Live<unknown>, 'isMissing'>
  readonly title: string
  /** The title if the record does not exist. */
  readonly missing: string
  readonly lines?: number
  /** The advice if the record does not exist. */
  readonly children?: ComponentChildren
}

/** The page of a record that is not read yet, or does not exist. */
export const Unread = ({ live, title, missing, lines, children }: UnreadProps) => (
  <>
    <Title>{live.isMissing ? missing : title}</Title>
    {live.isMissing ? children : <LoadState {...live} lines={lines} />}
  </>
)

interface PartProps {
  readonly title: string
  readonly hint?: string
  /** The data of the part. Until they are read, their state is shown. */
  readonly live?: Loaded
  /** The number of placeholder lines. */
  readonly lines?: number
  /** True for a part below the columns of its view. */
  readonly isBelow?: boolean
  readonly children: ComponentChildren
}

/** A part of a view, with its heading. */
export const Part = ({ title, hint, live, lines, isBelow = false, children }: PartProps) => (
  <section class={isBelow ? 'card part below' : 'card part'}>
    <h2>{title}</h2>
    {hint && <p class="hint">{hint}</p>}
    {live && <LoadState {...live} lines={lines} />}
    {children}
  </section>
)

/** A fact of a `dl` of the class `facts`. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

interface LinesProps<R> {
  /** The records; absent until they are read. */
  readonly of: readonly R[] | undefined
  /** The text of an empty list. */
  readonly none?: string
  /** Returns the line of a record. */
  readonly children: (record: R, index: number) => JSX.Element
}

/** A list in a part of a view. */
export const Lines = <R,>({ of, none, children }: LinesProps<R>) =>
  of?.length === 0 && none ? (
    <p class="none">{none}</p>
  ) : (
    <ul class="lines">{of?.map((record, index) => children(record, index))}</ul>
  )

interface LineProps {
  readonly name: ComponentChildren
  /** The address of the record. */
  readonly href?: string
  readonly note?: ComponentChildren
  readonly children?: ComponentChildren
}

/** The line of a record: its name with a note below, then its status, figures and actions. */
export const Line = ({ name, href, note, children }: LineProps) => (
  <li>
    <span>
      {href === undefined ? name : <a href={href}>{name}</a>}
      {note !== undefined && <small>{note}</small>}
    </span>
    {children}
  </li>
)

interface RecordsProps<R> {
  readonly live: { readonly data: ListReply<R> | null; readonly error: string | null }
  /** The number of placeholder lines. */
  readonly lines?: number
  /** The text of an empty list. */
  readonly none: string
  readonly one: string
  readonly many: string
  /** Returns the line of a record. */
  readonly children: (record: R) => JSX.Element
}

/** A page of a list, which is the main part of its view. */
export const Records = <R,>({ live: { data, error }, lines, none, one, many, children }: RecordsProps<R>) => {
  if (data === null) return <LoadState data={data} error={error} lines={lines} />
  if (data.data.length === 0) return <p class="none">{none}</p>
  return (
    <section class="card part">
      <Lines of={data.data}>{children}</Lines>
      <Pages meta={data.meta} one={one} many={many} />
    </section>
  )
}

interface TurnsProps {
  readonly page: number
  readonly last: number
  /** The size of the list, in words. */
  readonly size: string
  readonly onPage: (page: number) => void
}

/** The buttons to the other pages of a list whose page is no part of the address. */
export const Turns = ({ page, last, size, onPage }: TurnsProps) => {
  const turn = (to: number, name: string) => (
    <Button kind="link" onClick={() => onPage(to)}>
      {name}
    </Button>
  )
  return last <= 1 ? null : (
    <footer class="pages">
      <span>{size}</span>
      {page > 1 && turn(page - 1, 'Anterior')}
      <span>
        Página {page} de {last}
      </span>
      {page < last && turn(page + 1, 'Próxima')}
    </footer>
  )
}

type Sums = readonly (readonly [name: string, value: number | undefined])[]

/** The sums above a list; undefined ones are not read yet. */
export const Tiles = ({ sums }: { readonly sums: Sums }) => (
  <dl class="tiles four">
    {sums.map(([name, value]) => (
      <div class="card tile" key={name}>
        <dt>{name}</dt>
        <dd>
          <Figure text={value === undefined ? '…' : money(value)} />
        </dd>
      </div>
    ))}
  </dl>
)

/** A year that is still being typed. */
const UNFINISHED = /^0/

/** Returns the period in the address of a view; empty texts without one. */
const period = () => ({ de: route.value.query.get('de') ?? '', ate: route.value.query.get('ate') ?? '' })

/** Returns the query of a page of a list within the period of the view's address. */
export const periodQuery = (per_page: number): URLSearchParams => {
  const { de, ate } = period()
  return pageQuery(per_page, { created_at_start: de, created_at_end: ate })
}

interface PeriodProps {
  /** The path of the view. */
  readonly path: string
  readonly prefix?: string
  /** The period of a view whose address has none. */
  readonly otherwise?: { readonly start_date: string; readonly end_date: string } | undefined
}

/** The fields of the period in the address of a view. */
export const PeriodFields = ({ path, prefix = '', otherwise }: PeriodProps) => {
  const { de, ate } = period()
  const dayField = (name: 'de' | 'ate', label: string, value: string) => (
    <div class="field">
      <label for={prefix + name}>{label}</label>
      <input
        id={prefix + name}
        type="date"
        value={value}
        onChange={({ currentTarget }) =>
          UNFINISHED.test(currentTarget.value) || goTo(addressOf(path, { de, ate, [name]: currentTarget.value }))
        }
      />
    </div>
  )
  return (
    <div class="pair tools">
      {dayField('de', 'De', de || (otherwise?.start_date ?? ''))}
      {dayField('ate', 'Até', ate || (otherwise?.end_date ?? ''))}
    </div>
  )
}
