"use strict";

/**
 * A small matrix class for teaching linear algebra.
 *
 * Entries are stored row by row in a Float64Array. All methods return new
 * matrices and leave the original unchanged, except for `set` and `fill`.
 */
class Matrix {
  constructor(rows, cols, data) {
    if (!Number.isInteger(rows) || !Number.isInteger(cols) || rows < 1 || cols < 1) {
      throw new RangeError(`invalid size: ${rows} x ${cols}`);
    }
    if (data && data.length !== rows * cols) {
      throw new RangeError(`expected ${rows * cols} entries, got ${data.length}`);
    }
    this.rows = rows;
    this.cols = cols;
    this.data = data ? Float64Array.from(data) : new Float64Array(rows * cols);
  }

  /** Build a matrix from an array of rows, such as [[1, 2], [3, 4]]. */
  static from(rows) {
    const cols = rows[0].length;
    if (rows.some((row) => row.length !== cols)) {
      throw new RangeError("all rows must have the same length");
    }
    return new Matrix(rows.length, cols, rows.flat());
  }

  static zeros(rows, cols = rows) {
    return new Matrix(rows, cols);
  }

  static identity(n) {
    const result = new Matrix(n, n);
    for (let i = 0; i < n; i++) {
      result.set(i, i, 1);
    }
    return result;
  }

  static diagonal(values) {
    const result = new Matrix(values.length, values.length);
    values.forEach((value, i) => result.set(i, i, value));
    return result;
  }

  /** Build a matrix by calling fn(i, j) for each entry. */
  static generate(rows, cols, fn) {
    const result = new Matrix(rows, cols);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++) {
        result.set(i, j, fn(i, j));
      }
    }
    return result;
  }

  get isSquare() {
    return this.rows === this.cols;
  }

  get(i, j) {
    this.#checkIndex(i, j);
    return this.data[i * this.cols + j];
  }

  set(i, j, value) {
    this.#checkIndex(i, j);
    this.data[i * this.cols + j] = value;
    return this;
  }

  fill(value) {
    this.data.fill(value);
    return this;
  }

  clone() {
    return new Matrix(this.rows, this.cols, this.data);
  }

  row(i) {
    this.#checkIndex(i, 0);
    return Array.from(this.data.subarray(i * this.cols, (i + 1) * this.cols));
  }

  column(j) {
    this.#checkIndex(0, j);
    return Array.from({ length: this.rows }, (_, i) => this.get(i, j));
  }

  map(fn) {
    return Matrix.generate(this.rows, this.cols, (i, j) => fn(this.get(i, j), i, j));
  }

  add(other) {
    this.#checkSameSize(other);
    return this.map((value, i, j) => value + other.get(i, j));
  }

  subtract(other) {
    this.#checkSameSize(other);
    return this.map((value, i, j) => value - other.get(i, j));
  }

  scale(factor) {
    return this.map((value) => value * factor);
  }

  transpose() {
    return Matrix.generate(this.cols, this.rows, (i, j) => this.get(j, i));
  }

  multiply(other) {
    if (this.cols !== other.rows) {
      throw new RangeError(
        `cannot multiply ${this.rows} x ${this.cols} by ${other.rows} x ${other.cols}`
      );
    }
    const result = new Matrix(this.rows, other.cols);
    for (let i = 0; i < this.rows; i++) {
      for (let k = 0; k < this.cols; k++) {
        const value = this.data[i * this.cols + k];
        if (value === 0) {
          continue;
        }
        for (let j = 0; j < other.cols; j++) {
          result.data[i * other.cols + j] += value * other.data[k * other.cols + j];
        }
      }
    }
    return result;
  }

  /** Raise a square matrix to a non-negative integer power. */
  power(exponent) {
    this.#checkSquare();
    if (!Number.isInteger(exponent) || exponent < 0) {
      throw new RangeError("exponent must be a non-negative integer");
    }
    let result = Matrix.identity(this.rows);
    let base = this;
    let n = exponent;
    while (n > 0) {
      if (n % 2 === 1) {
        result = result.multiply(base);
      }
      n = Math.floor(n / 2);
      if (n > 0) {
        base = base.multiply(base);
      }
    }
    return result;
  }

  trace() {
    this.#checkSquare();
    let sum = 0;
    for (let i = 0; i < this.rows; i++) {
      sum += this.get(i, i);
    }
    return sum;
  }

  /** Determinant, by Gaussian elimination with partial pivoting. */
  determinant() {
    this.#checkSquare();
    const m = this.clone();
    const n = m.rows;
    let result = 1;
    for (let k = 0; k < n; k++) {
      const pivot = m.#findPivot(k, k);
      if (m.get(pivot, k) === 0) {
        return 0;
      }
      if (pivot !== k) {
        m.#swapRows(pivot, k);
        result = -result;
      }
      result *= m.get(k, k);
      for (let i = k + 1; i < n; i++) {
        m.#addRow(i, k, -m.get(i, k) / m.get(k, k));
      }
    }
    return result;
  }

  /** Solve A x = b, where b is a matrix with as many rows as A. */
  solve(b) {
    this.#checkSquare();
    if (b.rows !== this.rows) {
      throw new RangeError("right side has the wrong number of rows");
    }
    const a = this.clone();
    const x = b.clone();
    const n = a.rows;
    for (let k = 0; k < n; k++) {
      const pivot = a.#findPivot(k, k);
      if (Math.abs(a.get(pivot, k)) < 1e-12) {
        throw new Error("matrix is singular");
      }
      a.#swapRows(pivot, k);
      x.#swapRows(pivot, k);
      const factor = 1 / a.get(k, k);
      a.#scaleRow(k, factor);
      x.#scaleRow(k, factor);
      for (let i = 0; i < n; i++) {
        if (i !== k) {
          const amount = -a.get(i, k);
          a.#addRow(i, k, amount);
          x.#addRow(i, k, amount);
        }
      }
    }
    return x;
  }

  inverse() {
    return this.solve(Matrix.identity(this.rows));
  }

  equals(other, tolerance = 1e-9) {
    if (this.rows !== other.rows || this.cols !== other.cols) {
      return false;
    }
    return this.data.every((value, k) => Math.abs(value - other.data[k]) <= tolerance);
  }

  toString(digits = 3) {
    const cells = Array.from(this.data, (value) => value.toFixed(digits));
    const width = Math.max(...cells.map((cell) => cell.length));
    const lines = [];
    for (let i = 0; i < this.rows; i++) {
      const row = cells.slice(i * this.cols, (i + 1) * this.cols);
      lines.push("[ " + row.map((cell) => cell.padStart(width)).join("  ") + " ]");
    }
    return lines.join("\n");
  }

  #findPivot(column, start) {
    let best = start;
    for (let i = start + 1; i < this.rows; i++) {
      if (Math.abs(this.get(i, column)) > Math.abs(this.get(best, column))) {
        best = i;
      }
    }
    return best;
  }

  #swapRows(a, b) {
    if (a === b) {
      return;
    }
    for (let j = 0; j < this.cols; j++) {
      const saved = this.get(a, j);
      this.set(a, j, this.get(b, j));
      this.set(b, j, saved);
    }
  }

  #scaleRow(i, factor) {
    for (let j = 0; j < this.cols; j++) {
      this.set(i, j, this.get(i, j) * factor);
    }
  }

  #addRow(target, source, factor) {
    for (let j = 0; j < this.cols; j++) {
      this.set(target, j, this.get(target, j) + factor * this.get(source, j));
    }
  }

  #checkIndex(i, j) {
    if (i < 0 || i >= this.rows || j < 0 || j >= this.cols) {
      throw new RangeError(`no entry at (${i}, ${j}) in a ${this.rows} x ${this.cols} matrix`);
    }
  }

  #checkSquare() {
    if (!this.isSquare) {
      throw new RangeError("matrix must be square");
    }
  }

  #checkSameSize(other) {
    if (this.rows !== other.rows || this.cols !== other.cols) {
      throw new RangeError("matrices must have the same size");
    }
  }
}

module.exports = { Matrix };

if (require.main === module) {
  const a = Matrix.from([[2, 1, 0], [1, 3, 1], [0, 1, 4]]);
  const b = Matrix.from([[3], [8], [14]]);
  console.log("A =\n" + a);
  console.log("det A =", a.determinant().toFixed(1));
  console.log("solution of A x = b:\n" + a.solve(b));
  console.log("inverse is right:", a.multiply(a.inverse()).equals(Matrix.identity(3)));
}
