import { type ComponentChildren, createContext, h, type TargetedInputEvent } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { Mistakes, Refused } from './connection.ts'
import { Alert, Button, Dialog } from './elements.tsx'
import { MONEY_MISTAKE, readMoney } from './format.ts'
import { type Action, useAction } from './live.ts'

/** The number of ended tries to send the form around a field. */
const Tries = createContext(0)

/** Returns the error of a field until the field is edited, and a function to call at each edit. */
const useError = (error: string | undefined) => {
  const tries = useContext(Tries)
  const [editedAt, setEditedAt] = useState<number | null>(null)
  return [editedAt === tries ? undefined : error, () => setEditedAt(tries)] as const
}

export const ErrorText = ({ id, text }: { readonly id: string; readonly text: string | undefined }) =>
  text ? (
    <p class="error" role="alert" id={id}>
      {text}
    </p>
  ) : null

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
  readonly minLength?: number
  readonly maxLength?: number
}

/** A labelled input with its hint and its error, which belong to it for screen readers. */
export const Field = ({ label, name, value, onValue, error: failure, hint, ...input }: FieldProps) => {
  const [error, onEdit] = useError(failure)
  return (
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
        onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
          onEdit()
          onValue(currentTarget.value)
        },
        'aria-invalid': error ? true : undefined,
        'aria-describedby': [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ') || undefined,
        ...input,
      })}
      <ErrorText id={`${name}-error`} text={error} />
    </div>
  )
}

type Unlabelled = Pick<FieldProps, 'name' | 'value' | 'onValue' | 'error'>

/** The properties of a field that its form knows. */
export type FieldState = Unlabelled & Pick<FieldProps, 'label'>

type Texts<D> = { readonly [N in keyof D]: string }

/** Returns a function from the name of a draft's field to its properties. The prefix makes the ids unique in a view. */
export const fieldsOf =
  <D extends Texts<D>>(
    draft: D,
    set: (changes: Partial<NoInfer<D>>) => void,
    errors: Readonly<Record<string, string>>,
    prefix = '',
  ) =>
  (name: keyof D & string, label: string): FieldState => ({
    name: `${prefix}${name}`,
    label,
    value: draft[name],
    onValue: (value) => set({ [name]: value } as Partial<D>),
    error: errors[name],
  })

/** The draft of a form, a function that changes it, and the properties of its fields, as `fieldsOf` returns them. */
export const useFields = <D extends Texts<D>>(empty: D, errors: Readonly<Record<string, string>>, prefix?: string) => {
  const [draft, setDraft] = useState(empty)
  // A browser that fills in a form changes several fields before the next render.
  const set = (changes: Partial<D>): void => setDraft((last) => ({ ...last, ...changes }))
  return { draft, set, field: fieldsOf(draft, set, errors, prefix) }
}

/** The texts of unfinished forms, by form. The session drops them. */
export const drafts = new Map<string, unknown>()

/**
 * The draft of a form, which outlives its view, and a function that changes it. Fields that were not typed are those of
 * `empty`.
 */
export const useDraft = <D extends object>(form: string, empty: D) => {
  const stored = () => drafts.get(form) as Partial<D> | undefined
  const [typed, setTyped] = useState(stored)
  const set = (changes: Partial<D>): void => {
    // A change after an answer, such as that of a new plan, keeps the fields that were typed meanwhile.
    const next = { ...typed, ...stored(), ...changes }
    drafts.set(form, next)
    setTyped(next)
  }
  const draft: D = { ...empty, ...typed }
  return { draft, set }
}

interface FormOptions {
  readonly prefix?: string
  /** As `useAction` takes them. */
  readonly places?: Readonly<Record<string, string>>
}

/** The draft of a form, as `useFields` returns it, and the action that sends it. */
export const useForm = <D extends Texts<D>>(empty: D, { prefix, places }: FormOptions = {}) => {
  const action = useAction(places)
  return { action, ...useFields(empty, action.fields, prefix) }
}

/** Ends the try to send a form with the messages of its wrong fields, if there are any. */
export const refuseMistakes = (fields: Readonly<Record<string, string>>): void => {
  if (Object.keys(fields).length > 0) throw new Mistakes(fields)
}

/** Reads the amount of a field. If it is not readable, ends the try to send the form with the message of the field. */
export const readAmount = (name: string, typed: string, mistake = MONEY_MISTAKE): number => {
  const reais = readMoney(typed)
  if (reais === null) throw new Mistakes({ [name]: mistake })
  return reais
}

/** Sends a form with wrong fields that the API reports, too: the message of each is that of the form. */
export const sendWithMistakes = async <T,>(
  mistakes: Readonly<Record<string, string>>,
  send: () => Promise<T>,
): Promise<T> => {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const fields = { ...error.fields, ...mistakes }
    throw new Refused(error.status, { ...error, message: error.message, fields })
  }
}

export const NewPasswordField = (props: FieldState) => (
  <Field type="password" autocomplete="new-password" hint="Com pelo menos 8 caracteres." {...props} />
)

/** The password of a user who signs in or confirms an action. */
export const PasswordField = (props: FieldState) => <Field type="password" autocomplete="current-password" {...props} />

type EmailProps = Pick<FieldProps, 'value' | 'onValue' | 'error' | 'required'>

/** The e-mail by which a user signs in. */
export const EmailField = (props: EmailProps) => (
  <Field label="E-mail" name="email" type="email" autocomplete="username" {...props} />
)

/** The field of the account's PIN, which the browser does not store. */
export const PinField = (props: Unlabelled & Partial<FieldState>) => (
  <Field label="PIN da conta" type="password" inputMode="numeric" autocomplete="off" maxLength={6} {...props} />
)

interface CheckProps {
  readonly label: string
  readonly isChecked: boolean
  readonly onChecked: (isChecked: boolean) => void
}

/** A box to check. */
export const Check = ({ label, isChecked, onChecked }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={isChecked} onChange={({ currentTarget }) => onChecked(currentTarget.checked)} />
    {label}
  </label>
)

interface ChoiceProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly error?: string | undefined
}

export const Choice = ({ label, name, value, onValue, options, error: failure }: ChoiceProps) => {
  const [error, onEdit] = useError(failure)
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select
        id={name}
        name={name}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error && `${name}-error`}
        onChange={({ currentTarget }) => {
          onEdit()
          onValue(currentTarget.value)
        }}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      <ErrorText id={`${name}-error`} text={error} />
    </div>
  )
}

interface ChecksProps extends Pick<ChoiceProps, 'name' | 'options' | 'error'> {
  readonly legend: string
  readonly values: readonly string[]
  readonly onValues: (values: string[]) => void
}

/** A group of boxes to check. */
export const Checks = ({ legend, name, values, onValues, options, error: failure }: ChecksProps) => {
  const [error, onEdit] = useError(failure)
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(([each, text]) => (
        <label class="check" key={each}>
          <input
            type="checkbox"
            checked={values.includes(each)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error && `${name}-error`}
            onChange={({ currentTarget }) => {
              onEdit()
              onValues(currentTarget.checked ? [...values, each] : values.filter((value) => value !== each))
            }}
          />
          {text}
        </label>
      ))}
      <ErrorText id={`${name}-error`} text={error} />
    </fieldset>
  )
}

interface FormProps {
  readonly action: Action
  /** Sends the form, as the action. */
  readonly send: () => Promise<void>
  readonly button: string
  /** The browser checks the fields first. */
  readonly checks?: boolean
  readonly children: ComponentChildren
}

/**
 * A form whose button is off while it is sent. After a failure the first wrong field has the focus; failures that
 * belong to no field stand above the button.
 */
export const Form = ({ action, send, button, checks = false, children }: FormProps) => {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [action.tries])
  return (
    <Tries.Provider value={action.tries}>
      <form
        ref={form}
        noValidate={!checks}
        onSubmit={(event) => {
          event.preventDefault()
          action.run(send)
        }}
      >
        {children}
        <Alert key={action.tries} text={action.error} />
        <button type="submit" aria-disabled={action.isRunning}>
          {action.isRunning ? 'Enviando…' : button}
        </button>
      </form>
    </Tries.Provider>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly text?: string
  readonly button: string
  readonly onClose: () => void
  readonly perform: () => Promise<void>
}

/** A dialog that asks before an action, and shows its failure. */
export const Confirm = ({ title, text, button, onClose, perform }: ConfirmProps) => {
  const action = useAction()
  return (
    <Dialog title={title} isWarning onClose={onClose}>
      {text && <p>{text}</p>}
      <Form action={action} button={button} send={perform}>
        {null}
      </Form>
    </Dialog>
  )
}

interface ConfirmedProps extends Omit<ConfirmProps, 'onClose'> {
  readonly children: string
  readonly kind?: 'quiet' | 'quiet wrong' | 'link'
  /** The name of the button for screen readers, if its text does not say of which record it is. */
  readonly label?: string
}

/** A button whose action is confirmed in a dialog, which closes after it. */
export const ConfirmedButton = ({ children, kind = 'quiet wrong', label, perform, ...dialog }: ConfirmedProps) => {
  const [isAsking, setAsking] = useState(false)
  const close = (): void => setAsking(false)
  return (
    <>
      <Button kind={kind} aria-label={label} onClick={() => setAsking(true)}>
        {children}
      </Button>
      {isAsking && <Confirm {...dialog} onClose={close} perform={() => perform().then(close)} />}
    </>
  )
}
