import type { ComponentChildren, ComponentProps } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Live } from './live.ts'

/** Moves the focus to the title of a view when it opens, for screen readers and keyboards. */
export const Title = ({ children }: { readonly children: ComponentChildren }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  // Before the view is painted: later, it would take back the focus that a quick key has moved on.
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

const PARTS = 'dialog, section, header, #panel'

/**
 * Moves the focus to the nearest heading when the focused element is removed, so that the keyboard and the screen
 * reader stay where they were.
 */
export const keepFocus = (place: HTMLElement): void => {
  let parts: readonly Element[] = []
  place.addEventListener('focusin', ({ target }) => {
    parts = []
    for (let at = target instanceof Element ? target : null; at; at = at.parentElement)
      if (parts.length === 0 || at.matches(PARTS)) parts = [...parts, at]
  })
  // A press beside every control takes the focus away on purpose.
  addEventListener('pointerdown', () => {
    parts = []
  })
  new MutationObserver(() => {
    const [focused, ...around] = parts
    if (!focused || focused.isConnected || document.activeElement !== document.body) return
    parts = []
    const part = around.find((each) => each.isConnected) ?? place
    const heading = part.querySelector<HTMLElement>('h1, h2') ?? place.querySelector('h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }).observe(place, { childList: true, subtree: true })
}

export const Alert = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <p class="alert" role="alert">
      {text}
    </p>
  )

/** The confirmation of an action. */
export const Done = ({ text }: { readonly text: string | null | undefined }) =>
  text ? (
    <p class="done" role="status">
      {text}
    </p>
  ) : null

interface ButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'class'> {
  readonly kind?: 'quiet' | 'quiet menu' | 'quiet passkey' | 'quiet wide' | 'quiet wrong' | 'link'
}

/** A button beside the one that sends a form. */
export const Button = ({ kind = 'quiet', ...props }: ButtonProps) => <button type="button" class={kind} {...props} />

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
    <>
      <Button onClick={copy}>{isCopied ? 'Copiado' : label}</Button>
      <span class="unseen" role="status">
        {isCopied ? 'Copiado' : ''}
      </span>
    </>
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
  // The focus returns only while the dialog is part of the page: the clean-up of an effect comes too late.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    if (isWarning) heading.current?.focus()
    return () => element?.close()
  }, [isWarning])
  // A removed dialog has a close event too, which must not end the next one.
  const onEnd = (): void => {
    if (dialog.current) onClose()
  }
  return (
    <dialog ref={dialog} onClose={onEnd} aria-label={title}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <Button onClick={() => dialog.current?.close()}>Fechar</Button>
    </dialog>
  )
}

interface FigureProps {
  readonly text: string
  /** The address of the list behind the figure. */
  readonly href?: string | undefined
}

/** The amount of a tile: the style makes a long one smaller. */
export const Figure = ({ text, href }: FigureProps) => (
  <strong style={{ '--letters': text.length }}>{href ? <a href={href}>{text}</a> : text}</strong>
)

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

export type Loaded = Pick<Live<unknown>, 'data' | 'error'>

interface LoadStateProps extends Loaded {
  readonly lines?: number | undefined
}

/** Placeholder lines until data are read, or the message of the failure. */
export const LoadState = ({ data, error, lines }: LoadStateProps) => {
  if (data !== null) return null
  return error === null ? <Loading {...(lines && { lines })} /> : <Alert text={error} />
}
