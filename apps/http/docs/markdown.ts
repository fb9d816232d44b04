import { type Html, html } from '../pages/html.ts'

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g
const SAFE_LINK = /^(?:https?:\/\/|[/#])/

/** The code, bold words and links of a line. */
const inline = (text: string): readonly Html[] => {
  const pieces: Html[] = []
  let from = 0
  for (const { 0: all, 1: code, 2: bold, 3: label = '', 4: target = '', index } of text.matchAll(INLINE)) {
    pieces.push(html`${text.slice(from, index)}`)
    if (code !== undefined) pieces.push(html`<code>${code}</code>`)
    else if (bold !== undefined) pieces.push(html`<b>${bold}</b>`)
    else pieces.push(SAFE_LINK.test(target) ? html`<a href="${target}">${label}</a>` : html`${label}`)
    from = index + all.length
  }
  return [...pieces, html`${text.slice(from)}`]
}

const heading = (level: number, text: string): Html => {
  if (level === 1) return html`<h2>${inline(text)}</h2>`
  return level === 2 ? html`<h3>${inline(text)}</h3>` : html`<h4>${inline(text)}</h4>`
}

const cellsOf = (row: string): readonly string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())

const table = ([head = '', _rule, ...rows]: readonly string[]): Html =>
  html`<table><tr>${cellsOf(head).map((cell) => html`<th>${inline(cell)}</th>`)}</tr>
${rows.map((row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</table>`

const block = (lines: readonly string[]): Html => {
  const [first = ''] = lines
  const [, marks, title = ''] = /^(#{1,6}) (.*)$/.exec(first) ?? []
  if (marks !== undefined)
    return html`${[heading(marks.length, title)]}${lines.length > 1 ? block(lines.slice(1)) : null}`
  if (first.startsWith('|')) return table(lines)
  if (first.startsWith('- ')) {
    const items = lines.join('\n').slice(2).split('\n- ')
    return html`<ul>${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
  }
  return html`<p>${inline(lines.join('\n'))}</p>`
}

/**
 * Renders the Markdown of an introduction: headings, paragraphs, lists, tables and fenced code, with code, bold words and
 * links in a line. Everything else is text, markup too.
 */
export const markdown = (text: string): Html => {
  const parts = text.split(/^```.*\n([\s\S]*?)^```$/m)
  return html`${parts.flatMap((part, at) => {
    // Every other part stood in a fence.
    if (at % 2 === 1) return [html`<pre><code>${part}</code></pre>\n`]
    const blocks = part.split(/\n{2,}/).map((lines) => lines.trim())
    return blocks.filter((lines) => lines !== '').map((lines) => html`${block(lines.split('\n'))}\n`)
  })}`
}
