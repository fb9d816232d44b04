import { useState } from 'preact/hooks'
import { isRefusedBy } from '../../../panels/browser/connection.ts'
import { Alert, Button } from '../../../panels/browser/elements.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { fetchAs, request, saveFile } from './session.ts'

const FILE_NAME = /filename="?([^";]+)"?/

/** Saves the file of an answer, under the name that the answer has for it. */
export const saveAnswer = async (answer: Response, otherwise: string): Promise<void> =>
  saveFile(await answer.blob(), FILE_NAME.exec(answer.headers.get('Content-Disposition') ?? '')?.[1] ?? otherwise)

interface ReceiptProps {
  readonly transactionId: number
  /** The name of the entry, for a short button in a list. */
  readonly of?: string
}

/** The receipt of a statement entry as PDF. */
export const Receipt = ({ transactionId, of }: ReceiptProps) => {
  const action = useAction()
  const path = `consolidation/v2/transactions/${transactionId}/download-pdf`
  return (
    <>
      <Alert text={action.error} />
      <Button
        kind={of === undefined ? 'quiet' : 'link'}
        aria-label={of && `PDF do comprovante de ${of}`}
        aria-disabled={action.isRunning}
        onClick={() => action.run(async () => saveAnswer(await fetchAs('GET', path), 'comprovante.pdf'))}
      >
        {action.isRunning ? '…' : of === undefined ? 'Comprovante em PDF' : 'PDF'}
      </Button>
    </>
  )
}

const POLL_MS = 1_000

/** Downloads an export, and waits until the server has written it. */
const downloadExport = async (id: string, isWanted: () => boolean): Promise<void> => {
  while (isWanted()) {
    try {
      const answer = await fetchAs('GET', `consolidation/exports/download/${encodeURIComponent(id)}`)
      return await saveAnswer(answer, 'extrato')
    } catch (error) {
      if (!isRefusedBy(error, 'export.pending')) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

const FORMATS = [
  ['csv', 'CSV'],
  ['xlsx', 'Excel'],
  ['pdf', 'PDF'],
] as const

interface FormatProps {
  /** The format that is being prepared; null if none is. */
  readonly running: string | null
  readonly onChoose: (format: string) => void
}

/** A button for each format of a file. */
export const Formats = ({ running, onChoose }: FormatProps) => (
  <div class="choices">
    {FORMATS.map(([format, name]) => (
      <Button key={format} aria-disabled={running !== null} onClick={() => onChoose(format)}>
        {running === format ? 'Preparando…' : `Baixar em ${name}`}
      </Button>
    ))}
  </div>
)

interface ExportProps {
  /** The route that starts the export, and its body without the format. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Exports a list in each format, with its progress. */
export const Exports = ({ path, body }: ExportProps) => {
  const [running, setRunning] = useState<string | null>(null)
  const action = useAction()
  const start = async (format: string): Promise<void> => {
    setRunning(format)
    const { hash } = location
    try {
      const { id } = await request<{ readonly id: string }>('POST', path, { body: { ...body, format } })
      await downloadExport(id, () => location.hash === hash)
    } finally {
      setRunning(null)
    }
  }
  return (
    <>
      <Formats running={running} onChoose={(format) => action.run(() => start(format))} />
      <p class="unseen" role="status">
        {running === null ? '' : 'Preparando o arquivo…'}
      </p>
      <Alert text={action.error} />
    </>
  )
}
