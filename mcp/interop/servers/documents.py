"""Writes databases and documents into a directory: a table of orders and a handbook, which arrive as JSON."""

import json
import sqlite3
import sys
from pathlib import Path

import docx
import duckdb
import openpyxl
import pptx

LINES_OF_A_PAGE = 50


def write(directory: Path, orders: list[dict], chapters: list[dict]) -> None:
    """Writes a table of orders in three formats, and a handbook in three others."""
    rows = [tuple(order.values()) for order in orders]
    columns = "(id INTEGER, customer TEXT, city TEXT, total INTEGER)"
    for connect, name in ((sqlite3.connect, "shop.sqlite"), (duckdb.connect, "shop.duckdb")):
        database = connect(str(directory / name))
        database.execute(f"CREATE TABLE orders {columns}")
        database.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", rows)
        database.commit()
        database.close()

    workbook = openpyxl.Workbook(write_only=True)
    sheet = workbook.create_sheet("Orders")
    sheet.append(list(orders[0]))
    for row in rows:
        sheet.append(row)
    workbook.save(directory / "orders.xlsx")

    document = docx.Document()
    slides = pptx.Presentation()
    for chapter in chapters:
        document.add_heading(chapter["title"], 2)
        document.add_paragraph(chapter["text"])
        slide = slides.slides.add_slide(slides.slide_layouts[1])
        slide.shapes.title.text = chapter["title"]
        slide.placeholders[1].text = chapter["text"]
    document.save(directory / "handbook.docx")
    slides.save(directory / "handbook.pptx")
    (directory / "handbook.pdf").write_bytes(pdf(chapters))


def pdf(chapters: list[dict]) -> bytes:
    """Returns a PDF document with a line for each sentence."""
    lines = [line for chapter in chapters for line in (chapter["title"], *sentences(chapter["text"]))]
    pages = [lines[at : at + LINES_OF_A_PAGE] for at in range(0, len(lines), LINES_OF_A_PAGE)]
    kids = " ".join(f"{4 + 2 * page} 0 R" for page in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, page in enumerate(pages):
        shown = "\n".join(f"({line}) Tj T*" for line in page)
        stream = f"BT /F1 9 Tf 14 TL 40 800 Td\n{shown}\nET".encode()
        fonts = "<< /Font << /F1 3 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R "
            f"/Resources {fonts} >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    return b"%PDF-1.4\n" + assembled(objects)


def assembled(objects: list[bytes]) -> bytes:
    """Returns the objects of a PDF document, the table of their positions, and the trailer."""
    body, positions = b"", []
    for number, each in enumerate(objects, 1):
        positions.append(len(b"%PDF-1.4\n") + len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % position for position in positions)
    count = len(objects) + 1
    start = len(b"%PDF-1.4\n") + len(body)
    return (
        body
        + b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
        + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, start)
    )


def sentences(text: str) -> list[str]:
    """Returns the sentences of a text."""
    return [f"{sentence.removesuffix('.')}." for sentence in text.split(". ")]


if __name__ == "__main__":
    given = json.load(sys.stdin)
    write(Path(sys.argv[1]), given["orders"], given["chapters"])
