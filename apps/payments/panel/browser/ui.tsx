import { type ComponentChildren, h, type TargetedInputEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { count } from './format.ts'
import { addressOf, route } from './route.ts'
import { isStale, messageOf, Refused, request, SignedOut } from './session.ts'

/** Visible data is read again this often. */
const POLL_MS = 2_000
/** The longest wait after failures. */
const MAX_WAIT_MS = 30_000

/** A result that is read again while the page is visible. */
export interface Live<T> {
  /** The last answer; null before the first one. */
  readonly data: T | null
  /** The message of the last failure, null after a success. */
  readonly error: string | null
  /** True if the record does not exist or the user may not see it. */
  readonly isMissing: boolean
  /** Reads now. */
  readonly refresh: () => void
}

const isMissingRecord = (error: unknown): boolean =>
  error instanceof Refused && (error.status === 404 || error.status === 403)

/** Reads a path of the API, and again every two seconds while the page is visible. A null path reads nothing. */
export const useLive = <T,>(path: string | null, pollMs = POLL_MS): Live<T> => {
  const [state, setState] = useState<{ path: string | null; text: string; data: T | null; error: unknown }>({
    path,
    text: '',
    data: null,
    error: null,
  })
  const wake = useRef(() => {})
  useEffect(() => {
    if (path === null) return
    let isEnded = false
    let failures = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async (): Promise<void> => {
      clearTimeout(timer)
      try {
        const data = await request<T>('GET', path)
        const text = JSON.stringify(data)
        failures = 0
        isStale.value = false
        if (!isEnded)
          setState((last) =>
            last.path === path && last.text === text && last.error === null ? last : { path, text, data, error: null },
          )
      } catch (error) {
        failures += 1
        if (!isEnded && !(error instanceof SignedOut)) {
          isStale.value = !isMissingRecord(error)
          setState((last) => ({ ...(last.path === path ? last : { path, text: '', data: null }), error }))
        }
      }
      if (!isEnded && !document.hidden) timer = setTimeout(read, Math.min(pollMs * 2 ** failures, MAX_WAIT_MS))
    }
    const onVisible = (): void => {
      if (!document.hidden) void read()
    }
    wake.current = () => void read()
    void read()
    document.addEventListener('visibilitychange', onVisible)
    addEventListener('online', onVisible)
    return () => {
      isEnded = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
      removeEventListener('online', onVisible)
    }
  }, [path, pollMs])
  const isCurrent = state.path === path
  const error = isCurrent ? state.error : null
  return {
    data: isCurrent ? state.data : null,
    error: error === null ? null : messageOf(error),
    isMissing: isMissingRecord(error),
    refresh: () => wake.current(),
  }
}

/** An action with its progress and its failure. */
export interface Action {
  readonly isRunning: boolean
  /** The message of the last failure. */
  readonly error: string | null
  /** The messages of wrong fields by their paths. */
  readonly fields: Readonly<Record<string, string>>
  /** Runs the action unless it is running. */
  readonly run: (perform: () => Promise<void>) => void
}

const NO_FIELDS = {}

export const useAction = (): Action => {
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const isBusy = useRef(false)
  return {
    isRunning,
    error: failure === null ? null : messageOf(failure),
    fields: failure instanceof Refused ? failure.fields : NO_FIELDS,
    run: (perform) => {
      if (isBusy.current) return
      isBusy.current = true
      setRunning(true)
      setFailure(null)
      perform()
        .catch(setFailure)
        .finally(() => {
          isBusy.current = false
          setRunning(false)
        })
    },
  }
}

/** Moves the focus to the title of a view when it opens, for screen readers and keyboards. */
export const Title = ({ children }: { readonly children: ComponentChildren }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

export const Alert = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <p class="alert" role="alert">
      {text}
    </p>
  )

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error?: string | undefined
  readonly hint?: string
  readonly type?: 'text' | 'email' | 'tel' | 'password' | 'date'
  readonly autocomplete?: string
  readonly inputMode?: 'decimal' | 'numeric' | 'text'
  readonly required?: boolean
  readonly min?: string
  readonly maxLength?: number
}

/** A labelled input with its hint and its error, which belong to it for screen readers. */
export const Field = ({ label, name, value, onValue, error, hint, ...input }: FieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    {hint && (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    {h('input', {
      id: name,
      name,
      value,
      onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => onValue(currentTarget.value),
      'aria-invalid': error ? true : undefined,
      'aria-describedby': [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ') || undefined,
      ...input,
    })}
    {error && (
      <p class="error" role="alert" id={`${name}-error`}>
        {error}
      </p>
    )}
  </div>
)

type EmailProps = Pick<FieldProps, 'value' | 'onValue' | 'error'>

/** The e-mail by which a user signs in. */
export const EmailField = (props: EmailProps) => (
  <Field label="E-mail" name="email" type="email" autocomplete="username" {...props} />
)

interface PinProps {
  /** The id of the input, unique in the view. */
  readonly name: string
  readonly label?: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly error: string | undefined
}

/** The field of the account's PIN, which the browser does not store. */
export const PinField = ({ name, label = 'PIN da conta', value, onValue, error }: PinProps) => (
  <Field
    label={label}
    name={name}
    type="password"
    inputMode="numeric"
    autocomplete="off"
    maxLength={6}
    value={value}
    onValue={onValue}
    error={error}
  />
)

interface ChoiceProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly error?: string | undefined
}

export const Choice = ({ label, name, value, onValue, options, error }: ChoiceProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
    {error && (
      <p class="error" role="alert">
        {error}
      </p>
    )}
  </div>
)

interface FormProps {
  readonly action: Action
  readonly onSend: () => void
  readonly button: string
  readonly children: ComponentChildren
}

/** A form whose button is off while it is sent. Failures that belong to no field stand above the button. */
export const Form = ({ action, onSend, button, children }: FormProps) => (
  <form
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      onSend()
    }}
  >
    {children}
    <Alert text={action.error} />
    <button type="submit" aria-disabled={action.isRunning}>
      {action.isRunning ? 'Enviando…' : button}
    </button>
  </form>
)

const COPIED_MS = 2_000

/** Copies a text, and shows that it did. */
export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // Without a secure context the clipboard is closed: the text beside the button can be selected.
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), COPIED_MS)
  }
  return (
    <button type="button" class="quiet" onClick={copy}>
      <span role="status">{isCopied ? 'Copiado' : label}</span>
    </button>
  )
}

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** The focus begins on the title, so that Enter confirms nothing. */
  readonly isWarning?: boolean
}

/** A modal dialog. Escape and the close button end it; the focus returns to the opener. */
export const Dialog = ({ title, onClose, children, isWarning = false }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    if (isWarning) heading.current?.focus()
    return () => element?.close()
  }, [isWarning])
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={title}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
        Fechar
      </button>
    </dialog>
  )
}

/** Placeholder lines of the height of the list that will replace them. */
export const Loading = ({ lines = 3 }: { readonly lines?: number }) => (
  <div aria-busy="true">
    <p class="unseen" role="status">
      Carregando…
    </p>
    {Array.from({ length: lines }, (_, line) => (
      <div class="ghost" key={line} />
    ))}
  </div>
)

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

interface PagesProps {
  readonly meta: PageMeta
  readonly one: string
  readonly many: string
}

/** The size of a list and the links to its other pages, which keep the filters of the view. */
export const Pages = ({ meta: { current_page, last_page, total }, one, many }: PagesProps) => {
  const { path, query } = route.value
  const page = (number: number) =>
    addressOf(`/${path.join('/')}`, { ...Object.fromEntries(query), pagina: `${number}` })
  return (
    <footer class="pages">
      <span>
        {count(total)} {total === 1 ? one : many}
      </span>
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
  const [text, setText] = useState(route.value.query.get('search') ?? '')
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
