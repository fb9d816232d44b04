import test from 'ava'
import { type Piece, reportPdf } from '../../../adapters/documents/page-canvas.ts'
import { NOW } from '../../core/payments/world.ts'

test('a report begins a page for a title whose first lines do not fit below it', async (t) => {
  const drawn: string[] = []
  let page = ''
  const piece = (name: string, height: number, needs = 0): Piece => ({
    height,
    needs,
    draw: () => void drawn.push(`${name}, ${page}`),
  })
  const drawHead = (_: unknown, of: string): number => {
    page = of
    return 100
  }
  const metadata = { title: 'Relatório', author: 'Portico', createdAt: NOW }
  await reportPdf('', metadata, drawHead, () => [piece('first', 600), piece('title', 20, 100), piece('line', 90)])
  t.deepEqual(drawn, ['first, página 1 de 2', 'title, página 2 de 2', 'line, página 2 de 2'])
})
