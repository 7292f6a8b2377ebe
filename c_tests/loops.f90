! Fortran's erf and exp of real(4) arrays, which gfortran turns into calls of vector functions. Every result has the
! bits of the scalar function that the program comes to; libm's and libmvec's often differ.
program loops
    use, intrinsic :: iso_c_binding, only: c_float
    use, intrinsic :: iso_fortran_env, only: int32, real32
    implicit none

    interface
        function scalar_erf(x) bind(c, name="erff")
            import :: c_float
            real(c_float), value :: x
            real(c_float) :: scalar_erf
        end function
        function scalar_exp(x) bind(c, name="expf")
            import :: c_float
            real(c_float), value :: x
            real(c_float) :: scalar_exp
        end function
    end interface

    integer, parameter :: n = 4*4096 + 15 ! full vectors and a rest, of every width
    real(real32) :: x(n), y(n), right(n)
    integer :: i, failures

    x = [(5*(real(i, real32)*(2.0/n) - 1), i = 1, n)]
    y = erf(x)
    do i = 1, n
        right(i) = scalar_erf(x(i))
    end do
    failures = differences("erf")

    x = [(87*(real(i, real32)*(2.0/n) - 1), i = 1, n)]
    y = exp(x)
    do i = 1, n
        right(i) = scalar_exp(x(i))
    end do
    failures = failures + differences("exp")
    if (failures > 0) stop 1

contains

    integer function differences(name)
        character(*), intent(in) :: name
        differences = count(transfer(y, 0_int32, n) /= transfer(right, 0_int32, n))
        print "(a, i0, a, i0)", name//": ", differences, " results of arrays differ from the scalar ones, of ", n
    end function

end program
