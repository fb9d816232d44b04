import type { ComponentChildren, JSX } from 'preact'
import { type Loaded, LoadState } from '../../../panels/browser/elements.tsx'
import { type ListReply, Pages } from '../../../panels/browser/list.tsx'

/** The link to the list of a record or of a form. */
export const Back = ({ href, children }: { readonly href: string; readonly children: string }) => (
  <p class="hint">
    <a href={href}>{children}</a>
  </p>
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
      <ul class="lines">{data.data.map((record) => children(record))}</ul>
      <Pages meta={data.meta} one={one} many={many} />
    </section>
  )
}
