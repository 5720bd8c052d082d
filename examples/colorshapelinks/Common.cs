// The types that an agent of ColorShapeLinks sees, written anew from the documentation of that framework's interface:
// the same names and behaviour, so that an agent compiles against them unchanged. No code of the framework is in here.
using System;
using System.Collections.Generic;
using System.Threading;

namespace ColorShapeLinks.Common
{
    public enum PColor { White, Red }

    public enum PShape { Round, Square }

    public enum Winner { None, Draw, White, Red }

    public static class PColorExtensions
    {
        public static PColor Other(this PColor color)
        {
            return color == PColor.White ? PColor.Red : PColor.White;
        }

        // The shape whose runs win for this colour, of either player.
        public static PShape Shape(this PColor color)
        {
            return color == PColor.White ? PShape.Round : PShape.Square;
        }

        public static bool FriendOf(this PColor color, Piece piece)
        {
            return piece.color == color || piece.shape == color.Shape();
        }

        public static Winner ToWinner(this PColor color)
        {
            return color == PColor.White ? Winner.White : Winner.Red;
        }

        public static string FormatName(this PColor color, string name)
        {
            return name + " (" + color + ")";
        }
    }

    public static class WinnerExtensions
    {
        // What is neither colour becomes -1, which equals none.
        public static PColor ToPColor(this Winner winner)
        {
            return winner == Winner.White ? PColor.White : winner == Winner.Red ? PColor.Red : (PColor)(-1);
        }
    }

    public struct Piece
    {
        public readonly PColor color;
        public readonly PShape shape;

        public Piece(PColor color, PShape shape)
        {
            this.color = color;
            this.shape = shape;
        }

        public bool Is(PColor color, PShape shape)
        {
            return this.color == color && this.shape == shape;
        }

        public override string ToString()
        {
            return color + " " + shape;
        }
    }

    public struct Pos
    {
        public readonly int row;
        public readonly int col;

        public Pos(int row, int col)
        {
            this.row = row;
            this.col = col;
        }

        public override string ToString()
        {
            return "(" + row + ", " + col + ")";
        }
    }

    public struct Move
    {
        public readonly int row;
        public readonly int col;
        public readonly Piece piece;

        public Move(int row, int col, Piece piece)
        {
            this.row = row;
            this.col = col;
            this.piece = piece;
        }
    }

    // A board with its history. Row 0 is the lowest, column 0 the leftmost.
    public class Board
    {
        public readonly int rows;
        public readonly int cols;
        public readonly int piecesInSequence;
        public readonly int roundPieces;
        public readonly int squarePieces;
        // Every row, column and diagonal that is long enough for a run.
        public readonly IEnumerable<IEnumerable<Pos>> winCorridors;

        static readonly int[,] Directions = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } };

        readonly Piece?[,] cells;
        readonly int[] heights;
        // By colour and shape.
        readonly int[,] left = new int[2, 2];
        readonly Stack<Move> history = new Stack<Move>();
        int pieces;
        Winner winner = Winner.None;
        // The cell that completed the winner's run.
        Pos last;

        public PColor Turn { get; private set; }

        public Piece? this[int row, int col]
        {
            get { return cells[row, col]; }
        }

        public Board(int rows = 6, int cols = 7, int piecesInSequence = 4, int roundPieces = 10, int squarePieces = 11)
        {
            this.rows = rows;
            this.cols = cols;
            this.piecesInSequence = piecesInSequence;
            this.roundPieces = roundPieces;
            this.squarePieces = squarePieces;
            cells = new Piece?[rows, cols];
            heights = new int[cols];
            foreach (PColor color in new[] { PColor.White, PColor.Red })
            {
                left[(int)color, (int)PShape.Round] = roundPieces;
                left[(int)color, (int)PShape.Square] = squarePieces;
            }
            winCorridors = Corridors();
        }

        Board(Board other)
        {
            rows = other.rows;
            cols = other.cols;
            piecesInSequence = other.piecesInSequence;
            roundPieces = other.roundPieces;
            squarePieces = other.squarePieces;
            winCorridors = other.winCorridors;
            cells = (Piece?[,])other.cells.Clone();
            heights = (int[])other.heights.Clone();
            left = (int[,])other.left.Clone();
            Move[] moves = other.history.ToArray();
            Array.Reverse(moves);
            history = new Stack<Move>(moves);
            pieces = other.pieces;
            winner = other.winner;
            last = other.last;
            Turn = other.Turn;
        }

        public Board Copy()
        {
            return new Board(this);
        }

        public int PieceCount(PColor color, PShape shape)
        {
            return left[(int)color, (int)shape];
        }

        public bool IsColumnFull(int col)
        {
            return heights[col] == rows;
        }

        // Drops a piece of the side to move; returns its row, or -1 if the column is full.
        public int DoMove(PShape shape, int col)
        {
            if (col < 0 || col >= cols)
                throw new InvalidOperationException("there is no column " + col);
            if (winner != Winner.None)
                throw new InvalidOperationException("the game is over");
            if (PieceCount(Turn, shape) == 0)
                throw new InvalidOperationException(Turn + " has no " + shape + " pieces left");
            if (IsColumnFull(col))
                return -1;
            Move move = new Move(heights[col], col, new Piece(Turn, shape));
            history.Push(move);
            Place(move);
            Turn = Turn.Other();
            winner = WinnerAt(move.row, col);
            return move.row;
        }

        public Move UndoMove()
        {
            if (history.Count == 0)
                throw new InvalidOperationException("there is no move to undo");
            Move move = history.Pop();
            cells[move.row, move.col] = null;
            heights[move.col]--;
            left[(int)move.piece.color, (int)move.piece.shape]++;
            pieces--;
            Turn = move.piece.color;
            // The game went on before it.
            winner = Winner.None;
            return move;
        }

        // The winner, and into `solution` the cells of the run, as many as fit.
        public Winner CheckWinner(Pos[] solution = null)
        {
            if (solution != null && (winner == Winner.White || winner == Winner.Red))
            {
                List<Pos> run = Run(last.row, last.col, true) ?? Run(last.row, last.col, false);
                for (int i = 0; i < run.Count && i < solution.Length; i++)
                    solution[i] = run[i];
            }
            return winner;
        }

        // Sets up a position that no moves lead to: pieces, then the side to move.
        internal void SetUp(IEnumerable<Move> placed, PColor turn)
        {
            foreach (Move move in placed)
                Place(move);
            Turn = turn;
            for (int col = 0; col < cols && winner == Winner.None; col++)
                for (int row = 0; row < heights[col] && winner == Winner.None; row++)
                    winner = WinnerAt(row, col);
        }

        void Place(Move move)
        {
            cells[move.row, move.col] = move.piece;
            heights[move.col]++;
            left[(int)move.piece.color, (int)move.piece.shape]--;
            pieces++;
        }

        // Who wins by the piece in this cell: a run of a shape counts before a run of a colour.
        Winner WinnerAt(int row, int col)
        {
            Piece piece = cells[row, col].Value;
            last = new Pos(row, col);
            if (Run(row, col, true) != null)
                return piece.shape == PShape.Round ? Winner.White : Winner.Red;
            if (Run(row, col, false) != null)
                return piece.color.ToWinner();
            bool isOver = pieces == rows * cols
                || PieceCount(Turn, PShape.Round) + PieceCount(Turn, PShape.Square) == 0;
            return isOver ? Winner.Draw : Winner.None;
        }

        // A run through a cell, of its shape or of its colour; null if there is none.
        List<Pos> Run(int row, int col, bool isOfShape)
        {
            Piece piece = cells[row, col].Value;
            for (int direction = 0; direction < 4; direction++)
            {
                int dr = Directions[direction, 0], dc = Directions[direction, 1];
                int r = row, c = col;
                while (Fits(r - dr, c - dc, piece, isOfShape))
                {
                    r -= dr;
                    c -= dc;
                }
                int length = 0;
                for (; Fits(r, c, piece, isOfShape); r += dr, c += dc)
                    length++;
                if (length < piecesInSequence)
                    continue;
                List<Pos> run = new List<Pos>();
                for (int i = length; i > 0; i--)
                    run.Add(new Pos(r - i * dr, c - i * dc));
                return run;
            }
            return null;
        }

        bool Fits(int row, int col, Piece piece, bool isOfShape)
        {
            if (row < 0 || row >= rows || col < 0 || col >= cols || cells[row, col] == null)
                return false;
            Piece other = cells[row, col].Value;
            return isOfShape ? other.shape == piece.shape : other.color == piece.color;
        }

        IEnumerable<IEnumerable<Pos>> Corridors()
        {
            List<Pos[]> corridors = new List<Pos[]>();
            for (int direction = 0; direction < 4; direction++)
            {
                int dr = Directions[direction, 0], dc = Directions[direction, 1];
                for (int row = 0; row < rows; row++)
                {
                    for (int col = 0; col < cols; col++)
                    {
                        // A corridor begins where the cell before it is off the board.
                        if (IsOnBoard(row - dr, col - dc))
                            continue;
                        List<Pos> cells = new List<Pos>();
                        for (int r = row, c = col; IsOnBoard(r, c); r += dr, c += dc)
                            cells.Add(new Pos(r, c));
                        if (cells.Count >= piecesInSequence)
                            corridors.Add(cells.ToArray());
                    }
                }
            }
            return corridors;
        }

        bool IsOnBoard(int row, int col)
        {
            return row >= 0 && row < rows && col >= 0 && col < cols;
        }
    }
}

namespace ColorShapeLinks.Common.AI
{
    public struct FutureMove
    {
        public readonly int column;
        public readonly PShape shape;

        public FutureMove(int column, PShape shape)
        {
            this.column = column;
            this.shape = shape;
        }

        public static FutureMove NoMove
        {
            get { return new FutureMove(-1, PShape.Round); }
        }

        public bool IsNoMove
        {
            get { return column < 0; }
        }

        public override string ToString()
        {
            return IsNoMove ? "no move" : shape + " piece at column " + column;
        }
    }

    public interface IThinker
    {
        event Action<string> ThinkingInfo;

        FutureMove Think(Board board, CancellationToken ct);
    }

    public abstract class AbstractThinker : IThinker
    {
        public event Action<string> ThinkingInfo;

        public int Rows { get; private set; }
        public int Cols { get; private set; }
        public int WinSequence { get; private set; }
        public int RoundsPerPlayer { get; private set; }
        public int SquaresPerPlayer { get; private set; }
        public int TimeLimitMillis { get; internal set; }

        public virtual void Setup(string str) { }

        public abstract FutureMove Think(Board board, CancellationToken ct);

        // The name of the class without what every such class is called.
        public override string ToString()
        {
            string name = GetType().Name;
            foreach (string ending in new[] { "aithinker", "thinkerai", "thinker" })
                if (name.Length > ending.Length && name.EndsWith(ending, StringComparison.OrdinalIgnoreCase))
                    return name.Substring(0, name.Length - ending.Length);
            return name;
        }

        protected void OnThinkingInfo(string info)
        {
            Action<string> listeners = ThinkingInfo;
            if (listeners != null)
                listeners(info);
        }

        // Before Setup, which may read all of this.
        internal void Prepare(Board board, int timeLimitMillis)
        {
            Rows = board.rows;
            Cols = board.cols;
            WinSequence = board.piecesInSequence;
            RoundsPerPlayer = board.roundPieces;
            SquaresPerPlayer = board.squarePieces;
            TimeLimitMillis = timeLimitMillis;
        }
    }
}
