import { describe, expect, it } from 'vitest';
import { fc } from '../../../test/support/property.ts';
import { parseTasks } from './tasks-table.ts';

const HEAD = '| Id | Status | Description |\n| --- | :-: | ---: |\n';
const ids = (text: string) => parseTasks(text).rows.map((row) => row.id);

describe('the table of tasks.md', () => {
  it('gives ids and statuses, in the order of the ids', () => {
    expect(parseTasks(`${HEAD}| 10 | done | b |\n| 2 | Pending | a |\n`)).toEqual({
      rows: [
        { id: '2', status: 'pending' },
        { id: '10', status: 'done' },
      ],
      leftOut: [],
      plain: false,
    });
  });

  it('finds the columns by name, wherever they are and whatever else there is', () => {
    const text = '| Owner | Status | Id | More |\n|---|---|---|---|\n| x \\| y | pending | 3 | `a|b` |\n';
    expect(parseTasks(text).rows).toEqual([{ id: '3', status: 'pending' }]);
  });

  it('finds a Status column that is not the second', () => {
    const text =
      '| Id | Priority | Description | Status |\n|---|---|---|---|\n| 3 | high | pending | Done |\n';
    expect(parseTasks(text).rows).toEqual([{ id: '3', status: 'done' }]);
    expect(parseTasks(text.replace('|---', '|')).rows).toEqual([{ id: '3', status: 'done' }]);
    expect(parseTasks('| Status | Id |\n|---|---|\n| Done | 3 |\n').rows).toEqual([
      { id: '3', status: 'done' },
    ]);
  });

  it('is parsed up to 198 cells a row, and split plainly above', () => {
    const wide = (cells: number): string => {
      const row = (first: string, other: string): string => `|${first}|${`${other}|`.repeat(cells - 1)}\n`;
      return row('Id', 'x') + row('-', '-') + row('7', 'x');
    };
    expect(parseTasks(wide(198))).toMatchObject({ rows: [{ id: '7' }], plain: false });
    expect(parseTasks(wide(199))).toMatchObject({ rows: [{ id: '7' }], plain: true });
  });

  it('is parsed up to 256 kB, and split plainly above', () => {
    const long = (length: number): string => {
      const head = '|Id|x|\n|-|-|\n|7|';
      return `${head}${'x'.repeat(length - head.length - 1)}|`;
    };
    expect(parseTasks(long(256 * 1024))).toMatchObject({ rows: [{ id: '7' }], plain: false });
    expect(parseTasks(long(256 * 1024 + 1))).toMatchObject({ rows: [{ id: '7' }], plain: true });
  });

  it('reads through emphasis, code and links', () => {
    expect(parseTasks(`${HEAD}| [**4**](task-4.md) | \`pending\` | x |\n`).rows).toEqual([
      { id: '4', status: 'pending' },
    ]);
  });

  it('loses no task to a blank line, CRLF, indentation or missing outer pipes at the end', () => {
    expect(
      ids(`\uFEFF${HEAD}| 1 | pending | a\r\n\r\n     | 2 | pending | b |\r\n\n| 3 | done | c |`),
    ).toEqual(['1', '2', '3']);
  });

  it('leaves out rows with another id and names them', { tags: ['T-accept-3.2.5'] }, () => {
    expect(parseTasks(`${HEAD}| 1 | pending | a |\n| T2 | pending | b |\n| | pending | c |\n`)).toMatchObject(
      {
        rows: [{ id: '1' }],
        leftOut: [
          { id: 'T2', status: 'pending' },
          { id: '', status: 'pending' },
        ],
      },
    );
  });

  it('splits plainly when the delimiter row does not fit, and never finds zero tasks', () => {
    const text = '| Id | Status | Description |\n| --- | --- |\n| 1 | pending | a \\| b |\n| 2 | done |\n';
    expect(parseTasks(text)).toEqual({
      rows: [
        { id: '1', status: 'pending' },
        { id: '2', status: 'done' },
      ],
      leftOut: [],
      plain: true,
    });
  });

  it('takes rows without any header', () => {
    expect(parseTasks('| 1 | pending |\n| 2 | pending |\n').rows).toHaveLength(2);
  });

  it('is empty without rows', () => {
    expect(parseTasks('')).toEqual({ rows: [], leftOut: [], plain: false });
    expect(parseTasks(`${HEAD}`).rows).toEqual([]);
    expect(parseTasks('no table here').rows).toEqual([]);
  });

  it('gives back every id that was put in, whatever stands in the other cells', () => {
    const cell = fc.string().map((text) => text.replace(/[\r\n|\\`]/g, ' '));
    const row = fc.tuple(fc.nat(), cell);
    fc.assert(
      fc.property(fc.uniqueArray(row, { selector: ([id]) => id }), fc.boolean(), (rows, blank) => {
        const lines = rows.map(([id, text]) => `| ${id} | pending | ${text} |`);
        const found = ids(HEAD + lines.join(blank ? '\n\n' : '\n'));
        expect(found).toEqual(
          rows
            .map(([id]) => id)
            .sort((a, b) => a - b)
            .map(String),
        );
      }),
    );
  });
});
